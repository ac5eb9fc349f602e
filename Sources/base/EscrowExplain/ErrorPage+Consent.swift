/// The pages of `escrow explain` for the codes E07xx.
extension ErrorPage {
    static let consentPages = #"""
        ## E0701 denied until you change it
        You answered `never` to this dataflow before, or denied it by a command. The denial holds for every version of the
        plugin, and for every dataflow of this app and plugin that takes in what you denied.
        Example: `escrow grant deny --app org.example.notes --plugin org.example.phone-check`, then a run.
        `escrow grant list` shows it; `escrow grant revoke ID` takes it back, and you are asked again.

        ## E0702 nobody has decided
        This dataflow was never decided about, it is more than you allowed before, or what you decided is over; and there is
        no terminal to ask on, or you gave no answer. No answer is never a yes, and never a no.
        Example: an app starts a run in the background.
        Run it once on a terminal, or type the command of the help line: it allows this dataflow and nothing more.

        ## E0703 you did not allow it
        You answered `no`. Nothing was read or sent, and the next run asks again. A second `no` to the same within a day stands
        until you change it, so that no app wears you down by asking.

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

        ## E0710 no purpose
        The plugin does not say what it computes for, so nobody can decide about it.
        Example: a manifest whose purpose is nothing but spaces.
        Ask its publisher for a version that names its purpose.

        ## E0713 another question is open
        One question an app at a time: another run of the same app is asking you on another terminal.
        Answer that one first, then run this again. Nothing was read or sent.

        ## E0714 what sends cannot look empty
        `--as-empty` lets the plugin run over no data, and a denied dataflow sends nothing: an app that waits for its requests
        would know by that.
        Deny it openly: `escrow grant deny` without `--as-empty`.

        ## E0715 the decision was changed during the run
        You revoked, denied or limited what this run began with before its result was handed over. The result was computed and
        dropped; nothing left.
        `escrow grant list` shows what stands now.

        ## E0716 you kept the result
        You saw the result and did not hand it over. The ledger says that it was withheld, with a digest of what you saw.

        ## E0717 a preview needs a terminal
        With `--preview` the result is shown before it is handed over, and you are asked about it.
        Run it on a terminal, without redirecting its input or its words.

        ## E0718 no preview of what sends
        The dataflow was not allowed yet, and its plugin sends requests while it computes. To show you the result, they would
        have to leave before you decide.
        Allow it first; with a grant that stands, `--preview` holds back the result alone.

        ## E0719 no ids to choose by
        The records of this table have no `id`, so that single ones cannot be chosen.
        Example: `escrow grant limit ... --record Location=7`.
        Limit it by a condition: `--where "Location: timestamp > '2026-01-01'"`.

        ## E0720 a limit of a table that is not read
        The limit names a table that the dataflow does not read, so it would limit nothing.
        `escrow grant status` shows the tables; `escrow schema` shows all.

        ## E0721 not an export of decisions
        The file is not what `escrow grant export` prints: it was edited, cut off, or is of another version.

        ## E0722 a limit that says nothing
        A limit names records, a condition, columns to leave out, or coarser values.
        Example: `escrow grant limit --app org.example.notes --plugin phone-check --where "Contacts: familyName = 'Sample'"`.

        ## E0723 no answer about a result
        You saw the result and gave no answer, so it was not handed over. That is no denial: run it again to be asked again.

        ## E0724 the uses of grants cannot be read
        `grants.uses` says how often each grant was used since `grants.json` was written. It is not what escrow wrote, so nothing
        runs: a grant for so many runs may be used up. Restore both files from a backup. Without one, revoke the grants that are
        for so many runs (`escrow grant list`), then remove the file: the others lose no more than when they were last used.

        ## E0725 the output could not be written
        What the command printed went to a full disk, or to a program that ended before it had read all. The output is not whole,
        and the command ended there, with status 1. What it had done before, it has done: a run whose result could not be
        written stands in the ledger as one that handed it over.
        Make room, or write the output somewhere else, and run the command again.

        ## E0726 no column to find the newest records by
        A limit serves so many records of a table, those with the greatest values of a column, and the table has no column of
        that name. Nothing was decided.
        Example: `--first Photos.date=100`, where the column is `creationDate`. `escrow schema Photos` lists them.
        """#
}
