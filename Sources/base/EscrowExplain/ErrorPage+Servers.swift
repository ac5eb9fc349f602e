extension ErrorPage {
    static let serverPages = #"""
        ## E1320 a server's place that is none
        `escrow endpoint set` takes a name of small letters, and `https://HOST[:PORT][/PATH]`. A server without TLS is one at a
        private address that is named with `--address`.

        ## E1321 a server of your own that is not set
        The plugin sends to a server of the individual's own, and they set none of that name. Nothing was sent. The plugin was told
        `egress-not-granted`. `escrow endpoint set NAME https://…` says where it is.

        ## E1322 a server at a private address
        A server that is named by its address must be named twice, the second time with `--address`: requests into a private
        network reach what has no other wall, so nobody gets there by a slip.

        ## E1323 the list of your own servers is not understood
        `servers.json` in the home was changed by something else. Without the file no server is set; `escrow endpoint set` makes it
        anew.

        ## E1324 a server that was moved after the decision
        A grant is for the server that was set when it was given. The individual set another place since, so nothing is sent until
        they decide again: revoke the grant, and allow the dataflow anew.

        ## E1325 nothing is kept for a server
        The plugin's request is sent in the individual's name, and nothing is kept for that server, or it was revoked. Nothing was
        sent. The plugin was told `egress-not-granted`. `escrow credential add SERVER` keeps a password or token.

        ## E1326 what cannot be kept for a server
        A token is one line of printable ASCII and has no user; a password has a user's name without `:`. It is read from stdin, so
        that no list of processes has it.

        ## E1327 what is kept for servers cannot be opened
        `credentials.sealed` and `credentials.key` in the home do not fit each other. Nothing is sent in the individual's name as
        long as that is so. Remove the file and add what was in it anew.

        ## E1328 nothing was picked
        The plugin is given only the rows that the individual picks, and they picked none. Nothing was computed.

        ## E1329 too many rows to pick from
        More rows than anybody picks from. The query may say which are meant: by name, by day.

        ## E1330 nobody to pick
        The plugin is given only rows that the individual picks, and there is no terminal to ask at. It waits: escrow pending lists it, and
        escrow page or escrow answer ID has the individual pick; then it is run again. Or run it at a terminal.
        """#
}
