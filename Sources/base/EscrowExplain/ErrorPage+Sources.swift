/// The pages of `escrow explain` for the codes E08xx.
extension ErrorPage {
    static let sourcesPages = #"""
        ## E0801 no source of this kind
        The query uses a table for which nobody has added a source yet, for example `Photos` where only contacts were added.

            $ escrow access "SELECT count(*) FROM Photos"
            error[E0801]: no photos source

        Add one with `escrow source add photos DIR`. `escrow schema` shows which kind of source serves each table.

        ## E0802 unknown kind of source
        `escrow source add` and `remove` take the word of a kind: `contacts`, `photos`, `location` and others.

            $ escrow source add pictures ~/Pictures

        `escrow source kinds` lists them all, what each is read from and which tables it serves. Data of another kind has no
        adapter yet; `docs/sources.md` says how one is written.

        ## E0803 the path cannot be opened
        The path given to `escrow source add` does not exist, or this user may not read it.

            $ escrow source add contacts contacts-2019.vcf

        Check the spelling and the permissions (`ls -l PATH`), then add it again.

        ## E0804 the path does not look like the kind
        What lies at the path is something else: a file where photos need a folder, a folder without any file of the kind, a
        file without a vCard, or one that is no track and no location history.

            $ escrow source add photos contacts.vcf

        Contacts are `.vcf` files or a folder of them; photos are a folder with pictures. `escrow source kinds` says of each
        kind what PATH may be.

        ## E0805 the sources overlap
        The path is a source of this kind already, lies within one, or holds one. Every file would be served twice.

            $ escrow source add photos ~/Pictures
            $ escrow source add photos ~/Pictures/Bergen

        Sub-folders belong to a source already; nothing needs to be done for them. To replace the smaller by the larger, remove
        the smaller first.

        ## E0806 no such source
        `escrow source remove` was given a path that is not among the sources of that kind.

            $ escrow source remove contacts old.vcf

        `escrow source list` shows the paths as they were added.

        ## E0807 the list of sources is damaged
        `sources.json` in the escrow home is not the strict JSON that this program writes: it was cut off, edited, or written by
        a later version. Nothing was overwritten.

        The message tells line and column. Mend the file, or delete it and add the sources again; the data itself is not in it.

        ## E0808 a source cannot be read
        A source that was added before is gone, or may no longer be read: a folder was renamed, a disk is not mounted.

            $ mv ~/Pictures ~/Photos; escrow access "SELECT count(*) FROM Photos"

        Put it back, or `escrow source remove photos PATH` and add the new path. A single file that cannot be read is no error: it
        is left out, and `escrow source check` tells which and why.

        ## E0810 too many sources
        There are 256 sources, the most that one home keeps.

        Add a folder that holds several files instead of each file, and remove the single ones.

        ## E0820 a calendar repeats its events too often
        The rules of repetition in a calendar file, and the single times that it changes, took 20 million steps in one query. That is
        far more than a person's calendar needs; such a file is damaged, or made to keep its reader busy. No rows are served, for a
        part of them would look like all.

            $ escrow source check

        It tells which events of which file repeat too often. Mend the file, or take it out of the source.

        ## E0830 not a database
        A source that is another program's SQLite file holds something else there: another format, an encrypted database, or
        nothing at all. `escrow source check` tells which file it is.

        Name the program's own file; `docs/sources.md` lists them by program.

        ## E0831 the database is damaged
        A page of another program's database leads nowhere, or back to where it came from, or is part of so many rows that they come
        to more than the file can hold. What was read before that point was served.

        Let the program repair its file, or restore it from a backup. `sqlite3 FILE "PRAGMA integrity_check"` on a copy tells
        more.

        ## E0832 the database is too large
        Another program's database is copied before it is read, so that the program can go on writing. Beyond 8 GiB that is not
        done.

        Let the program forget old entries; most have a setting for how long they keep them.

        ## E0833 no room for the copy
        The private copy of another program's database needs as much room as the database. It is a file without a name in the
        folder of `XDG_CACHE_HOME`, or `~/.cache`, and gone when the query ends; where neither can hold it, up to 256 MiB are
        kept in memory.

            $ df -h ~/.cache

        Free some space, or let `XDG_CACHE_HOME` name a folder on a larger disk.

        ## E0834 the database keeps changing
        The program that owns the database wrote to it during each of eight attempts to copy it.

        Ask again when it is less busy.

        ## E0835 the database cannot be read
        The disk or its file system failed while another program's database was copied.

        Read the file with something else (`cat FILE >/dev/null`); if that fails too, it is the disk.

        ## E0836 unknown schema
        Another program's database lacks a table or a column that its documented versions have: the program is much older or
        newer than those, or the file is another one of its databases.

        `docs/sources.md` tells which versions are read.

        ## E0837 the database is too slow
        One row took more than 20 seconds to find. A sound file answers at once, so the file is damaged, on purpose or not.

        Let the program repair its file, or take the source out with `escrow source remove`.

        ## E0838 more files than are listed
        Of one kind at most 524,288 files are listed, in all its sources together. Which ones of a larger folder is the file system's
        choice. Answers are made of these alone, so counts and sums are too low.

        Add the folders that matter one by one, and take the large one away.

            $ escrow source check
            $ escrow source remove documents /home/you
            $ escrow source add documents /home/you/Documents

        ## E0851 an index is damaged
        What the escrow home keeps of your files' headers (`index/*.cache`) was cut off or has rotten bytes, after a crash or by a bad
        disk. It is made anew by itself. Answers never depend on it: files that it knew are read once more.

        If this comes again and again, look at the disk.

        ## E0852 an index may be another user's work
        What the escrow home keeps of your files' headers (`index/*.cache`) belongs to another user, may be written or read by others,
        or has a second name. What it says would be believed, so it is not used; it is made anew.

            $ ls -la "${ESCROW_HOME:-$HOME/.local/share/escrow}/index"

        The escrow home should be a folder that nobody else may enter: `chmod 700`.

        ## E0853 an index cannot be written
        What is read of your files' headers cannot be kept: the disk is full, or the escrow home is read-only. Answers do not depend on
        it, but the same files are read again by each command.

            $ df -h "${ESCROW_HOME:-$HOME/.local/share/escrow}"

        ## E0854 too many folders to watch
        `escrow host` has the kernel tell which files change, so that it need not look at all of them for each query. This system lets
        a user watch fewer folders than your sources have, or other programs of yours watch many. Answers do not depend on it, but each
        query looks at all files. `escrow host` says so once, on stderr; `escrow doctor` shows how many folders your sources have beside
        how many may be watched.

            $ escrow doctor
            $ sudo sysctl fs.inotify.max_user_watches=1048576

        ## E0880 a file changed while it was read
        A photo or other asset that a plugin asked for became shorter while the host read it. The run was stopped; nothing was
        returned. Run the command again.
        """#
}
