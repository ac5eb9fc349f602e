# Makes a second name for the installed program. What counts is its content.
# host: prints {"n":1}
def tamper(home):
    os.link(home.program, home.folder + "/second")
