extension ErrorPage {
    static let pagePages = #"""
        ## E1300 the page cannot be served
        `escrow page` listens at 127.0.0.1, on a port that is free, and found none.
        Do: see that there is a loopback interface (`ip address show lo`), and that processes may listen there.

        ## E1301 a question changed
        Between the moment when a question was shown on the page and its answer, the plugin, your rules or your decisions became
        others. An answer counts for the words that it was given to.
        Do: look at the question again; it stands on the page as it is now.

        ## E1302 an answer that is none
        Nothing was decided. The page and the terminal take the same words: once, today, always, no, never, until a day, so many
        runs, empty; and a yes to less names what is left out.
        Example: `5 runs`, `until 2030-12-31`, `no today`.

        ## E1303 rules that were not tried
        The page keeps rules only after it held them against your past dataflows and showed you what they would have changed, and
        only if nobody changed the file in the meantime.
        Do: try them on the page; or edit them at a terminal: `escrow preferences edit`.

        ## E1304 a path that does not begin at the root
        A page knows no current folder, so a file or folder is named whole.
        Example: `/home/you/contacts.vcf`.

        ## E1310 an agent's message was not understood
        What an agent sends to `escrow mcp` is a line of JSON-RPC 2.0 for each message, of at most 1 MiB.
        Do: see docs/agents.md for the methods and tools that there are.
        """#
}
