/// The pages of `escrow explain` for the codes E02xx.
extension ErrorPage {
    static let packagePages = #"""
        ## E0201 program missing
        The manifest names a program that is not in the folder.
        Example: `escrow plugin pack` before the program was built.
        Do: build it, then pack.

        ## E0202 unlisted file
        The package holds a file that its manifest does not list. A file that nobody signed could be read by the plugin.
        Example: a file that was copied into an installed plugin's folder.
        Do: fetch the package again, or pack it again if it is yours.

        ## E0203 file missing
        The manifest lists a file that the package does not hold.
        Example: a package that was cut short, or a file that was deleted.
        Do: fetch the package again.

        ## E0205 executable not fit
        The program is not an ELF executable for its platform, was cut off, is linked dynamically though its manifest says
        static, or has memory, or a stack, that is both writable and executable.
        Example: a Swift program built without `-static-executable`.
        Do: build it as the message says.

        ## E0206 no program for this machine
        The package has programs for other platforms only.
        Example: a package for linux-x86_64 on an aarch64 machine.
        Do: ask the publisher for a package with one.

        ## E0207 signed already
        `escrow plugin sign` adds a signature beside those that a package has. A key signs a package once; a second signature by
        the same key would not count for anything.

        ## E0208 a file is left over
        A package holds the programs that a manifest names, the files beside a script that have its ending, and what the manifest
        names in `files`; each is signed by its digest. A file in a script's folder that is none of them would not be there when
        the script runs.
        Example: `model.bin` beside `main.py`.
        Do: name it in the manifest, `"files": {"model.bin": ""}`, or move it out of the folder.

        ## E0209 package damaged
        The file is not a package in the one plain form: cut short, altered, out of order, or with links, strange names or bytes
        after its end.
        Example: a package that was unpacked and packed again with `tar`.
        Do: fetch it again, or pack it with `escrow plugin pack`.

        ## E0210 not a plain file
        A plugin is made of regular files only: no links, devices, pipes, setuid or setgid bits. An author's folder may hold links,
        but `escrow plugin pack` takes nothing that lies outside of it unless `--follow-links` is given.
        Example: a symlink in the place of the program.
        Do: replace it by the file itself.

        ## E0211 too large
        A file or a package is larger than allowed: programs 128 MiB, other files 16 MiB, 512 files, packages 288 MiB.
        Example: a plugin that ships its data set.
        Do: leave out what it does not need.

        ## E0212 plugin not installed
        No plugin of that name is installed.
        Example: `escrow run phone-chek`
        Do: `escrow plugin list` shows what is installed.

        ## E0213 several plugins of that name
        The short name belongs to more than one plugin.
        Example: `org.example.count` and `com.other.count` when asked for `count`.
        Do: name one in full.

        ## E0214 for another version of escrow
        The manifest's `host` names the versions of escrow that the plugin is for, and this one is not among them. What a later
        version promises to plugins, or asks of them, may differ.
        Example: `"host": ">=2.0.0 <3.0.0"` on escrow 1.4.0.
        Do: install the version of the plugin for this escrow, or update escrow (`escrow --version`).

        ## E0280 a tool failed
        `escrow plugin pack` and `escrow plugin test` build a plugin with the author's own tools: `swift build`, `make`,
        `strip`. One of them ended with an error; its messages stand above.

        ## E0281 a tool cannot be started
        A tool that builds the plugin is not installed. Install it, then run the command again.

        ## E0282 the plugin folder lacks something
        A plugin folder holds `plugin.json` and what its artifacts are built from: `Package.swift`, a `Makefile`, or the script
        itself. The message names what is missing. `escrow plugin new NAME` makes a folder that is complete. A `wheels.lock` holds
        `NAME==VERSION --hash=sha256:…` alone: options for pip in it would have other files' code run.

        ## E0283 the folder exists
        `escrow plugin new` does not write into a folder that exists. Choose another name.

        ## E0284 a test case failed
        `escrow plugin test` ran a case of `Tests/cases` and the plugin gave another result than the case expects, or none. The
        message names the case; on mock data the values are shown.

        ## E0285 test cases failed
        `escrow plugin test` ran all cases of `Tests/cases`, and some of them gave another result than they expect. Each is shown
        above with what was expected and what was found.

        ## E0286 a plugin's id
        A plugin is known by labels of `a-z`, `0-9` and `-` with dots between them, after the reverse domain of its publisher:
        `org.example.average-age`.

        ## E0287 the kits are missing
        `escrow plugin new` copies or names the kit for the plugin's language. It looks in `share/escrow/sdk` beside an installed
        escrow, and in the checkout that escrow was built in. `make install` installs both.
        """#
}
