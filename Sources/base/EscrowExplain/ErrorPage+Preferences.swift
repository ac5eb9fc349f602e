/// The pages of `escrow explain` for the codes E11xx.
extension ErrorPage {
    static let preferencesPages = #"""
        ## E1101 the preferences are not understood
        `preferences.json` of the escrow home, or a rule that you gave, is not what may stand there: the message names line and
        column. Nothing runs until it can be read, since what cannot be read may be a rule that forbids.
        Example: `"effect": "allow"` instead of `"permit"`. A whole file:

            { "escrow-preferences": 1,
              "rules": [
                { "id": "no-ads", "effect": "forbid", "when": { "purpose": ["marketing"] } },
                { "id": "own-notes", "effect": "permit", "prompt": "skip",
                  "when": { "app": ["org.example.notes"], "table": ["Contacts"], "sends": false } } ] }

        `docs/spec/preferences.md` lists every member; editors complete them from `Manifests/preferences.schema.json`.

        ## E1111 a rule of yours forbids it
        A rule with `"effect": "forbid"` is about this dataflow, or could not be evaluated here and so counts. Neither a grant
        nor another rule helps it, and nobody was asked. The app is told that you do not allow the dataflow, and no more.
        `escrow preferences show` lists your rules, `escrow run … --dry-run` says which of them speak about a dataflow.

        ## E1112 no rule of yours permits it
        Your preferences say `"unmatched": "deny"`: where neither a rule nor a grant allows a dataflow, nobody is asked.
        Write a rule that permits it, allow this dataflow alone with the command of the help line, or set `"unmatched": "ask"`.

        ## E1113 refused for now
        A rule with `"effect": "require"` and `"missing": "refuse"` names what the device must have for this dataflow, and it
        does not have it, or does not tell. The notes say what.
        Run it again when the device has that. With `"missing": "wait"` it would wait in the queue instead.

        ## E1114 it waits
        The dataflow is decided, and a rule with `"missing": "wait"` lets it wait until the device has what the notes name. It is
        in the queue: `escrow pending`, `escrow queue list`. Nothing was read or sent yet. The exit status is 75, EX_TEMPFAIL of
        sysexits.h.
        `escrow queue run` runs it when the device has that; `escrow run --wait` would have stayed. An app that asks through
        `escrow host` just gets its answer later.

        ## E1115 restricted
        A guardian or an organisation signed a restriction that forbids this dataflow. You cannot override it by a grant or a
        rule; the message says who set it.
        `escrow restriction list` shows all restrictions. Only who set one can change it or take it back.

        ## E1116 a restriction cannot be trusted
        The file of a restriction is missing, changed, put back to an earlier version, or, in `/etc/escrow/restrictions`, can be
        written by others than root or cannot be read. Nothing runs: what is missing may be what forbids.
        Add the file again as it was signed: `escrow restriction add FILE`.

        ## E1117 this is no restriction
        The document has not the shape of a restriction, is not signed by the key that it names, or is no newer than the version
        in force.
        Ask who set it for the file as `escrow restriction sign` wrote it.

        ## E1118 no such restriction
        The file takes back a restriction that was never added here.
        `escrow restriction list` shows those that there are.

        ## E1119 only who set it can change it
        A restriction is changed or taken back only by a file that the same key signed. This one is signed by another key, or
        does not take anything back.
        Ask who set it: `escrow restriction list` names them.

        ## E1120 nothing waits under that id
        It was run, let go, or never there.
        `escrow queue list` shows what waits.

        ## E1121 the queue cannot be read
        `queue.json` of the home was edited or damaged. No dataflow is lost that ran; what waited is not known. Dataflows that need
        not wait are decided and run as ever.
        Forget what waited: `escrow queue drop --all`. It can be run again.

        ## E1122 too many wait
        No more dataflows are kept in the queue.
        Let go of some: `escrow queue list`, `escrow queue drop ID`.

        ## E1123 it hands rows on as they are
        The plugin's result is a table of the very columns that it accepts, and its purpose does not say that it copies. Only a
        plugin whose purpose is `data-copy` may do that, and the sheet says so in red.
        Plugin authors: set the purpose to `data-copy`, or return less.

        ## E1124 it was let go meanwhile
        The run waited for the device; then somebody took the dataflow out of the queue, by `escrow queue drop` or by running it.
        A dataflow that waits runs at most once, so this run ended. Nothing was read or sent by it.
        Run it again if you still want it.

        ## E1125 the rules no longer let it begin
        Your rules bound what an app uses in a day (`cpuSecondsToday`, `bytesToday`). A run that begins takes what it could use
        out of that until it ends, so that runs side by side never use more together. While this dataflow was decided about,
        another run of the app took what was left; or the rules or the device changed. Nothing was read or sent.
        Run it again when the other one has ended.

        ## E1126 more than the rules leave of today
        A rule about `bytesToday` leaves the app so many bytes, and the result, or a request, would have been more. It was not
        handed over or sent. What earlier runs of the day sent and returned counts, and what runs under way may still use.
        `escrow preferences show` lists your rules. A new day, local time, is a new allowance.

        ## E1127 the backup was not restored
        You were asked whether to go back to what was decided when the backup was made, and did not say yes. Nothing was made.
        What was taken back since would be allowed again, marked as restored; what was for so many runs would be undecided.
        With `--yes` nobody is asked.

        ## E1128 an app's room in the ledger is used up
        Each run leaves records, and what is not recorded is not run. So that no app fills the disk, or washes away what the ledger
        had before, its runs may make the ledger grow by 32 MiB in a day (UTC); this app's have. Nothing was read or sent.
        See what it did with `escrow ledger list`; `escrow doctor` names the apps that are out of room. To give apps more, set
        `"ledger": { "appMiBPerDay": 64 }` in `config.json`.

        ## E1129 decisions stay as they are
        A guardian or an organisation signed a restriction by which your decisions are neither made, changed nor taken back while it is
        in force. Nothing was changed. What you allowed before goes on; what nobody decided does not run.
        `escrow restriction list` names who set it, and only they can take it back.
        """#
}
