/// The pages of `escrow explain` for the codes E10xx.
extension ErrorPage {
    static let usagePages = #"""
        ## E1001 a line is too long
        A line between an app and the host is longer than the protocol allows: 256 KiB for an app, 32 MiB for the host.
        Example: a query with a list of ids of a megabyte, or a result of 30 MiB of bytes.
        Pass less with the request, or let the plugin return less.

        ## E1002 a line is not strict JSON
        What an app sent, or what should be the host's answer, is not one strict JSON object on one line.
        Example: `{"id":1,"id":2,"cancel":1}` names a member twice.
        Write lines with a JSON library, one object a line; `EscrowClient` does.

        ## E1003 a member is unknown, missing or of another type
        The protocol between apps and the host is a closed world: a member that it does not have, one that is missing, one of
        another type, or two acts on one line, are refused. Asking for bytes where the result is a value, or the other way
        round, ends with this code too.
        Example: `{"id":1,"run":{"app":"org.example.notes"}}` has no "compute".
        Compare the line with docs/spec/app-protocol.md; use `runBytes` for plugins that return bytes.

        ## E1004 not an id
        The id of a request must be a whole number from 1 up, and not that of a request that is still open.
        Example: `{"id":0,"cancel":1}`.
        Count up from 1 for each request.

        ## E1005 the app withdrew the request
        The app sent a cancel for this request, or hung up. Nothing was handed over for it.
        Example: `{"id":2,"cancel":1}` while request 1 is open.
        Nothing needs to be done.

        ## E1006 a name or a value cannot be taken
        Names of apps and plugins are ASCII letters, digits, `.`, `-` and `_`; values are strings, numbers, true, false and, in
        bindings, null; an empty query is none.
        Example: `"bindings":{":n":1}` has a colon; `"bindings":{"n":[1,2]}` binds a list.
        Leave out the colon; bind each item under a name of its own.

        ## E1007 too many requests are open
        At most 64 requests of one connection may be open at once.
        Example: a loop that starts a thousand runs without waiting for any.
        Wait for answers before sending more.

        ## E1008 no host
        `escrow host --stdio` could not be started, ended before it greeted, or speaks another version of the protocol.
        Example: `ESCROW_HOST_PATH=/nowhere/escrow`.
        Install `escrow` so that it is in `PATH`, or set `ESCROW_HOST_PATH`; `escrow host --stdio` by hand shows what it says.

        ## E1009 the host ended
        The host ended, was ended by `close()`, or broke the protocol, before it answered. The run may have taken place; the
        ledger says so.
        Example: the host is killed during a run.
        Connect again; `escrow ledger` shows what happened.

        ## E1010 no such code
        `escrow explain` knows the codes that escrow prints. Without a code it lists them all.

        ## E1011 a parameter is NAME=VALUE
        `escrow run PLUGIN --param NAME=VALUE`; the manifest lists the names (`escrow plugin show PLUGIN`), or the query binds
        them as `:NAME`.

        ## E1012 no such thing
        The command was given a name (of a grant, a key, a ledger entry, a table) that is not there. The matching `list` command
        shows what is.

        ## E1013 a key's name
        `escrow key new NAME` makes the file `keys/NAME.key` of the escrow home, so a name is made of letters, digits, `-`, `_`
        and `.`.

        ## E1014 a day is YYYY-MM-DD
        Days are given as `2027-12-31`; they begin at midnight UTC.

        ## E1015 an option is missing
        The command needs another option to know what to do; `--help` lists them.

        ## E1016 a version is MAJOR.MINOR.PATCH
        For example `escrow trust revoke --plugin org.example.a --below 1.2.0`.

        ## E1017 an app id
        An app is known by labels of `a-z`, `0-9` and `-`, at least two, with dots between them: `org.example.notes`.

        ## E1018 a column that the plugin does not declare
        A decision can only be about columns that the plugin's manifest lists under `accepts.reads`. `escrow plugin show PLUGIN`
        prints them.

        ## E1019 system calls that cannot be traced
        `escrow plugin test --trace` shows every system call of the plugin to a seccomp listener of the host's own. A process that
        is itself watched by one, as in some containers, gets none; the cases ran, without a list of calls.
        Do: run it outside the container. Without `--trace` the cases run in both.

        ## E1029 an app that does not read
        `escrow host` had an answer for the app, and the app read nothing for a minute, or closed that way. Its connection was ended
        and its runs were cancelled, so that they hold nothing any longer.
        Do: apps: read what the host writes, also while sending.

        ## E1090 unknown parameter
        The plugin has no parameter of that name.
        Example: `--param minage=21` where it is `min_age`.
        Do: use one of the names that are listed.

        ## E1091 value not allowed
        The value given for a parameter is of another type or out of its bounds.
        Example: `--param min_age=7` where 18 to 120 is allowed.
        Do: give a value as the message says.

        ## E1092 parameter missing
        The plugin has a parameter without a default, and none was given.
        Example: `escrow run count` where `year` must be given.
        Do: add `--param year=…`.
        """#
}
