extension ErrorPage {
    static let servicePages = #"""
        ## E1250 the service runs already
        One service serves one home and one socket.
        Do: use it; or end it first, `systemctl --user stop escrow.socket escrow.service`.

        ## E1251 the service does not run
        Nothing listens on the service's socket, or another user's program does: it is told nothing, and not believed. `su` keeps
        the `XDG_RUNTIME_DIR` and the `ESCROW_SOCKET` of the user before.
        Do: `systemctl --user enable --now escrow.socket`, or `escrow serve` in a terminal of its own; after `su`, `su -` instead.

        ## E1252 the apps cannot be read
        `apps.json` of the home is damaged. Until it can be read no token proves an app, and no profile lets anything through.
        Do: restore the file from a backup of the home, or remove it and add the apps again: `escrow app add ID`.

        ## E1253 another app
        The program asks in the name of one app, and is known as another.
        Do: apps: leave `app` out, or give the id that `GET /v1` tells.

        ## E1254 no such run
        The service has no run under that id for this app. Finished runs are kept for ten minutes.
        Do: run it again.

        ## E1255 a key used again
        An `Idempotency-Key` belongs to one request; this one came with another before.
        Do: apps: make a new key for a new request.

        ## E1256 no such resource
        The service has nothing at that path.
        Do: `docs/spec/service.openapi.json` lists all paths.

        ## E1257 a request not taken
        The method, the type of the content, the length or a header is none that this path takes.
        Do: `docs/spec/service.openapi.json` says what each path takes.

        ## E1258 a program cannot be confined
        `escrow app run` starts programs under bubblewrap, which is missing or cannot make its walls on this machine.
        Or stdin, stdout or stderr is a folder, by which the program would leave them.
        Do: `apt install bubblewrap`; `bwrap --unshare-all --ro-bind / / true` says what is wrong.

        ## E1259 a profile that lets too much through
        A folder of the profile is missing, is the whole file system, holds the escrow home, a source or the homes of confined
        programs, lies in a source, in such a home or in a folder that a confined program may change, or leads elsewhere than when
        it was added.
        Example: `--folder ~/Documents`, where `~/Documents/contacts.vcf` is a source. A cover over the source would come off as
        soon as somebody saves the file anew.
        Do: name a folder that the program needs, and no more; or move the source out of it, and add it again.

        ## E1260 no such app
        No app was added under that id.
        Do: `escrow app list` shows those that were.

        ## E1261 a source can be reached
        From inside the walls of an app one of your sources, the escrow home or another socket could be reached, or not
        all could be tried.
        Example: a file of a source has a second name, a hard link, in a folder that the profile lets through.
        Do: the lines above say which way; take the folder or the link away, and check again: `escrow app check ID`.

        ## E1262 openings cannot be seen
        Which programs open a file the kernel tells only to who may administrate this machine (fanotify, CAP_SYS_ADMIN).
        Do: `sudo escrow app audit --home DIR`.

        ## E1263 an unknown token
        The token was given to no app, or was taken back.
        Do: `escrow app add ID` gives a new one.

        ## E1264 no runtime folder
        `XDG_RUNTIME_DIR` is not set, so that there is no place for the service's sockets.
        Do: name one: `escrow serve --runtime DIR`; the folder must be yours alone.
        """#
}
