/// The pages of `escrow explain` for the codes E06xx.
extension ErrorPage {
    static let egressPages = #"""
        ## E0601 requests to the network are not sent
        The plugin's manifest lists endpoints under `egress`, and the program that runs it links no transport. The command
        `escrow` does; a program that embeds the host may leave it out.

        ## E0602 an endpoint that is not declared
        The plugin asked for an endpoint by a name that its manifest does not list under `egress`. Nothing was sent. The plugin
        was told `egress-undeclared`. Authors: the name in `fetch` must be that of the endpoint, letter for letter.

        ## E0603 a field that cannot be sent
        A field is missing, is not declared, is of another type, lies outside its bounds or pattern, or has characters that
        cannot stand in its place (a line end in a header, `..` in a path). Nothing was sent. The plugin was told
        `egress-field-invalid`. The message names the field, never its value.

        ## E0604 the budget is used up
        A run may call an endpoint `maxCalls` times and send `maxBytes` bytes, as its manifest says; and a grant may have a
        budget of bits or bytes a day: `escrow grant allow --bits-per-day N --bytes-per-day N`. A day is one of UTC. What a
        request could carry is taken from the budget before it is sent, and is not given back when it fails. A request leaves
        at one of sixteen moments after the run's beginning or the last request's end; after the last moment none leaves.
        Requests that leave `together` take once what all of a run can carry. See what was sent: `escrow egress list`.

        ## E0605 the grant no longer stands
        The individual took the grant back or narrowed it, or a rule now forbids the dataflow or no longer permits it, while
        the plugin ran. Grants and rules are looked up anew before each request, so this one was not sent. Requests sent before are in `escrow egress list --each`.

        ## E0606 the name has no address
        The host name of the endpoint could not be looked up. The name is a constant of the manifest, so the question itself
        carried no data. Try `getent ahosts NAME`; if that fails as well, this machine is not connected, or the name is gone.

        ## E0607 the address is not one of the public internet
        The endpoint's name leads to this machine, to a private or link-local network, or to a form of address that hides one.
        One such address among several is enough: that is what DNS rebinding looks like. Nothing was sent.

        ## E0608 no answer
        The request was recorded and sent, or was about to be, and no answer came that could be used: the connection was
        refused or took too long, TLS could not be set up, the certificate is not valid for the name or has another key than
        the manifest pins, or the answer stopped. The message says which. Nothing is tried again by itself. Where it says that
        `escrow-egress` cannot be started: the program must lie beside `escrow` itself, and not be writable by everybody.

        ## E0609 an answer that the manifest does not describe
        The server answered with a redirect (never followed), with another media type, in a packing that was not asked for,
        with more bytes than `response.maxBytes`, or not in HTTP/1.1. The plugin got none of it.

        ## E0610 what was sent today is not known
        `egress-usage.json` in the home, which counts against the budgets of grants, cannot be read. As long as it cannot,
        nothing is sent under a grant with a budget. Remove the file to begin the day anew.

        ## E0611 the trusted certificates cannot be read
        `egress.trustRoots` in `config.json` names a PEM file that is not there or holds no certificate. It is meant for
        stand-ins on this machine; without the member only the system's authorities are trusted.

        ## E0612 a plugin that asks on
        A hundred requests of one run were refused, so the run was ended: a plugin that asks on and on would fill the ledger.
        Authors: after a refusal, go on without what was asked for, or end the run with `refuse`.

        ## E0613 requests that leave together
        The endpoints of the manifest say `together`, and the plugin asked for a request by itself, or a second time; or they
        do not say so, and it asked for several at once. Nothing was sent. The plugin was told `egress-together`. Requests
        that leave together are asked for once a run, all of them, so that when each leaves says nothing. Authors: one
        `fetch` with `together` (`fetch_together` in Python, `fetchTogether` in Swift), or the manifest without it.

        ## E0614 the program that sends requests cannot be used
        `escrow doctor` starts `escrow-egress`, which alone speaks with the network, as a run would, and sends nothing. The
        program must lie in the folder of `escrow` itself, belong to root, to you or to the owner of `escrow`, and not be
        writable by everybody; it must find its libraries and be able to shut itself in. Runs without requests are not affected.
        Install escrow again, or copy `escrow-egress` from where it was built: `.build/release/escrow-egress`.

        ## E0615 a place that is not told
        The plugin asked for a request that tells where the individual is, and nothing is to be told: no place is known, or their
        rules tell nothing to this app, at this hour or at this place. Nothing was sent. The plugin was told
        `egress-not-granted`. See `escrow location rule list`, and `escrow location show` for what would be told.

        ## E0616 a place that cannot be masked
        Where the individual is, the mask that is asked for cannot hide them: too few people live around, or it has no room.
        Nothing was sent. The plugin was told `egress-not-granted`. A rule that tells less may do:
        `escrow location rule add --tell city`.

        ## E0617 a service that the plugin does not ask
        The app said which server, what kind of service and how exact a place it asks about, and the plugin's manifest has no endpoint
        of that host and kind, or one that is told more. Nothing ran. Developers: `escrow plugin show` prints what a plugin sends.
        """#
}
