# A script fails with an error of its own.
# runtime: exit 1
# control: exit 1
raise ValueError("an error")
