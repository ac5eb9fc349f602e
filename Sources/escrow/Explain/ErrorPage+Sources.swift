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

        ## E0880 a file changed while it was read
        A photo or other asset that a plugin asked for became shorter while the host read it. The run was stopped; nothing was
        returned. Run the command again.
        """#
}
