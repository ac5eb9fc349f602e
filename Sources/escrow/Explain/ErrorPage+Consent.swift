/// The pages of `escrow explain` for the codes E07xx.
extension ErrorPage {
    static let consentPages = #"""
        ## E0701 denied until you change it
        You answered `never` to this dataflow before, or denied it by a command. The denial holds for every version of the
        plugin, and for every dataflow of this app and plugin that takes in what you denied.
        Example: `escrow grant deny --app org.example.notes --plugin org.example.phone-check`, then a run.
        `escrow grant list` shows it; `escrow grant revoke ID` takes it back, and you are asked again.

        ## E0702 nobody has decided
        This dataflow was never decided about, or it is more than you allowed before; and there is no terminal to ask on. No
        answer is never a yes.
        Example: an app starts a run in the background.
        Run it once on a terminal, or type the command of the help line: it allows this dataflow and nothing more.

        ## E0703 you did not allow it
        You answered `no`, or nothing clear three times. Nothing was read or sent, and nothing is remembered: the next run asks
        again.

        ## E0704 a lasting decision needs an app id
        Programs without an id of their own must not share one lasting decision.
        Example: `always` for an app that calls itself `notes`.
        Decide once, or give the app an id in reverse DNS: `--app org.example.notes`.

        ## E0705 the grants cannot be read
        `grants.json` is not what escrow wrote: it was edited, damaged, or written by a newer version. Nothing runs until it can
        be read, since it may hold a denial.
        Restore the file from a backup. Without the file every dataflow is asked about anew.

        ## E0706 no such grant
        There is no grant with that id; perhaps it was revoked or replaced.
        `escrow grant list` shows all of them.

        ## E0707 too many grants
        No more decisions can be kept.
        Revoke some that you do not need: `escrow grant list`, `escrow grant revoke ID`.
        """#
}
