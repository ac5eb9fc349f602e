/// The pages of `escrow explain` for the codes E00xx.
extension ErrorPage {
    static let machinePages = #"""
        ## E0001 a fault of escrow itself
        Something happened that escrow's own code should have ruled out. Nothing was handed over. Please report it with the
        message; it holds no value of your data.

        ## E0002 a file operation failed
        The system refused to open, read, write or rename a file. The message names the file and the system's reason, for
        example when the disk is full or the folder belongs to somebody else. Mend that, then run the command again.

        ## E0003 not a regular file
        A file of the escrow home must be a regular file: a symlink, a pipe or a device could make escrow read something else
        or wait for ever. Example: `ln -s /dev/zero ~/.local/share/escrow/sources.json`.

        ## E0004 a file is too large
        A file that escrow reads whole is larger than is allowed for its kind. It was not read.

        ## E0005 a file would not be readable any more
        What was to be written is larger than escrow reads of a file of its kind, or holds something that it would not understand
        again. Nothing was changed: a file that no command can read could not be mended by one either.
        Do what the message names to make room.

        ## E0010 no place for an escrow home
        None of `--home`, `ESCROW_HOME`, `XDG_DATA_HOME` and `HOME` says where the escrow home is. Name a folder:
        `--home DIR` or `export ESCROW_HOME=DIR`.

        ## E0011 there is an escrow home already
        `escrow init` makes a new home and never overwrites one. To begin anew, move the old folder away first.

        ## E0012 the folder is in use
        `escrow init` was given a folder that exists, holds something and is no escrow home. Nothing was changed. Name another
        folder.

        ## E0013 no escrow home
        There is no folder where the escrow home should be. Make one with `escrow init`, or name the right folder with
        `--home DIR`.

        ## E0014 not an escrow home
        The folder exists but is not an escrow home of yours: no `home.json`, or another owner. Nothing was changed.

        ## E0015 the escrow home is open to others
        Other users of this machine could read or change the home. It holds keys and decisions, so escrow does not use it until
        it is private: `chmod 700 DIR`.

        ## E0016 another format
        The home was made by a version of escrow whose files this one does not read. Nothing was changed.

        ## E0017 the escrow home is damaged
        A file of the home cannot be understood, or its key is not the one that `home.json` names. Nothing was changed or
        overwritten. Restore the file from a backup.

        ## E0018 the configuration is not understood
        `config.json` of the escrow home may hold `loweredWalls`, a list of walls by the names that `escrow doctor` prints, and
        `limits`, the most that any plugin may use (E0019).
        Anything else is an error, since a typo there could leave a wall up or down that you meant otherwise.

        ## E0019 a limit of the configuration is not understood
        `limits` in the home's `config.json` caps what any plugin may use. A member is none of the limits, or its value is no whole
        number within the documented bounds. No run starts until the file is mended.
        Example: `{ "limits": { "wallSeconds": 0 } }`.
        Do: mend the place that the message names; `escrow doctor` lists the limits.

        ## E0020 no ledger
        There is no ledger where the escrow home should have one.
        Example: the folder `ledger` was moved out of the home.
        Put the folder back from a backup; a new home is made by `escrow init`.

        ## E0021 a ledger exists already
        A ledger was to be made where there is one. Nothing was overwritten.
        Use the home as it is, or name another folder with `--home`.

        ## E0022 a line of the ledger is not a record
        The named line of the log does not have the form that every line has: it was cut, joined or edited.
        Example: an editor opened the file and changed a line end.
        Keep a copy of the folder; restore it from a backup, or go on without what is lost: `escrow ledger repair`.

        ## E0023 a record was altered
        The named record does not fit its own commitment: the record, its salt or the commitment was changed after it was
        written. The records before it are as they were written.
        Keep a copy of the folder; restore it from a backup, or go on without what is lost: `escrow ledger repair`.

        ## E0024 a record stands in the wrong place
        Records were removed, exchanged, or put in twice: the named line holds a record with another number.
        Keep a copy of the folder; restore it from a backup, or go on without what is lost: `escrow ledger repair`.

        ## E0025 the ledger was cut off
        The ledger ends before the last record that its signed head vouches for. A crash does not do this: what it leaves
        incomplete was acknowledged to nobody, and no head vouches for it.
        Keep a copy of the folder; restore it from a backup, or go on without what is lost: `escrow ledger repair`.

        ## E0026 a checkpoint covers something else
        Every write to the ledger ends with a signed checkpoint over all that it wrote and all before. What stands before the
        named one is not what it vouches for: something was altered, removed, added or exchanged.
        Keep a copy of the folder; restore it from a backup, or go on without what is lost: `escrow ledger repair`.

        ## E0027 the end of the ledger was altered
        The line where the ledger ends is not the checkpoint that the signed head names.
        Keep a copy of the folder; restore it from a backup, or go on without what is lost: `escrow ledger repair`.

        ## E0028 no head of the ledger is whole
        No head in the named place is whole and rightly signed. Each file of heads holds two that take turns, and a crash leaves
        at least one of them whole.
        Keep a copy of the folder; then `escrow ledger repair` writes them anew from the log.

        ## E0029 the ledger belongs to another host key
        The heads are signed by another key than the one of this escrow home.
        Example: the folder `ledger` of one home was copied into another.
        Put ledger and key of one home together again, or name the other home with `--home`.

        ## E0030 a record is older than the one before it
        Times in the ledger never go back, since the host records the ledger's last time where the clock is behind it.
        Keep a copy of the folder, and report it: either a mistake of the host's, or somebody had its key.

        ## E0031 a record cannot be written
        The record is too long, or holds something that could not be read back, such as a NUL in a text. Nothing was recorded,
        and what was to be recorded did not happen.
        Example: a query of several hundred kilobytes.
        Make the query or its names shorter; if that is not it, report it.

        ## E0032 a record does not fit the runs
        A run was to begin twice, to end twice, or to end without having begun; or more than 256 were under way.
        With fewer runs at a time it works; otherwise report it.

        ## E0033 a record of a newer kind
        The named record has a version or kind that this host does not know.
        Example: a newer escrow wrote to this home before.
        Use that version, or a newer one still.

        ## E0034 a head of the ledger is damaged
        One of the two heads in the named file is damaged, and no crash explains it: a head is written after the log, so the log
        would hold what it vouched for. Either it is the older one and nothing is lost, or the newest records were cut off
        together with it.
        Keep a copy of the folder; then `escrow ledger repair` goes on from the head that is whole, and records that it did.

        ## E0035 other open runs than the signed ones
        The runs without an end in the ledger are not those that its signed head names.
        Keep a copy of the folder, and report it: a mistake of the host's, or somebody had its key.

        ## E0036 the ledger could not be read
        It was being written to all the time while it was read.
        Run the command again.

        ## E0037 a file of the ledger's heads is missing
        `ledger/heads` or its copy `ledger.heads` is not there. By the copy it shows that somebody put the ledger back.
        Example: only the folder `ledger` was restored from a backup.
        Put the file back; or `escrow ledger repair` writes it anew, and records that it was missing.

        ## E0038 the ledger was put back to an earlier state
        The ledger is whole, but its copied head vouches for more records than it has: the folder was replaced by an older copy.
        Put the newer folder back; or `escrow ledger repair` goes on, and records which entries are lost.

        ## E0039 two histories
        The ledger and a copy of its head are both signed by this host, and neither is a continuation of the other. Somebody has
        put an older copy back and gone on with it, or has the host's key.
        Keep both; restore the ledger that belongs to the head.

        ## E0040 missing content is not accounted for
        Entries may lose their content, or be dropped, only by a record that says so, and the record that this one names does not.
        Keep a copy of the folder, and report it: a mistake of the host's, or somebody had its key.

        ## E0041 an entry cannot be erased
        It does not exist, its content is gone already, its run has not ended, or it says what became of the ledger itself and
        holds nothing personal. Nothing was erased.
        See what there is: `escrow ledger list`.

        ## E0042 something cannot be proved
        The entry is not in the ledger, or the part of the tree that the proof takes was compacted.
        A proof that was made before keeps its worth.

        ## E0043 a proof does not hold
        The file is no proof about a ledger, or it was altered, or another host than the one of the given key signed it.
        Ask for the proof again, and for the public key of the host that it is about.

        ## E0045 a ledger of an earlier format
        The ledger was written by an escrow of before its present format; it has the files `head.0` and `head.1`.
        Use the version of escrow that made it, or make a new home with `escrow init`. Nothing was changed.

        ## E0046 a request is too large to wait
        Your rules let the dataflow wait for the device, and what waits is kept in `queue.json`, each request with at most 32 KiB.
        This one has more: a long query, or long values. Nothing was read or sent.
        Run it when the device has what your rules ask for, or ask with a shorter query.

        ## E0047 an app has too many that wait
        At most 16 dataflows of one app wait, so that it leaves room for others, and at most 256 runs stay for one of them.
        Let go of some: `escrow queue list`, `escrow queue drop ID`.

        ## E0050 no place for the run
        At most so many runs of an app, and of all apps together, are under way at a time; the others wait for their turn. Here
        64 of the same app wait already, or the run was withdrawn while it waited. Nothing was read or sent.
        Example: an app starts hundreds of runs at once.
        Let some of them end; `escrow doctor` shows how many are under way, `runs` in `config.json` sets how many may be.

        ## E0044 a ledger is beyond repair
        No checkpoint and no head in the folder, nor the copy outside it, is signed by this home's key.
        Restore `ledger` and `ledger.heads` from a backup.
        """#
}
