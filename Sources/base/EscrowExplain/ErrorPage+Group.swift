extension ErrorPage {
    static let groupPages = #"""
        ## E1189 a ledger is not what your other devices saw
        Your devices cosign the heads of each other's ledgers. One of them shows a ledger that is shorter than one that was
        cosigned, or that holds other entries: it was put back to an earlier state, or altered.
        Example: a device whose disk was restored from an image of last week.
        Do: find out what happened on that device. `escrow ledger verify` there; a backup that was restored on purpose is a
        ledger of its own (`escrow restore`).

        ## E1190 a group cannot be used
        What this device keeps of a group is damaged, or does not fit the group's scheme. One object that cannot be read leads nowhere:
        it is left out, and counted by `escrow group sync`.
        Do: join again, with an invitation under another name; the others have the data.

        ## E1191 a group of that name
        `escrow group create` and `join` make a group, and this device has one of that name, or of one that differs in capitals,
        `-` and `_` alone.
        Do: choose another name; it is this device's alone.

        ## E1192 not the owner
        Who began a group owns it: invites, removes and moves. The owner does not leave.
        Do: ask the owner; `escrow group show NAME` says who it is.

        ## E1193 a letter refused
        An introduction, an invitation or a letter of the owner's is not what it should be: of other keys than the code says, for
        another device, altered, or older than what is known.
        Example: the code that is typed is not the one that the other device shows.
        Do: compare the codes by word of mouth and hand the file over again. Where they differ somebody changed it.

        ## E1194 an object cannot be shared
        Its class was not named when the group began, its identifier is of another class, it is not JSON (under the rule
        `merging` a JSON object), or it was deleted and in this group a deletion stands.
        Do: `escrow group show NAME` lists the classes.

        ## E1195 too few servers
        A group cannot begin, move or take a member in: too few servers answer as they should, or those that are named make no
        scheme. Or a removal is not finished: a server that did not answer still lets the removed member in.
        Example: `--threshold 2 --accepted 3` with two servers.
        Do: name servers as they name themselves, `https://HOST:PORT#sha256//DIGEST`, at least as many as must accept. A removal
        goes on by itself at each synchronisation, and by the same command.

        ## E1196 not a question for a group
        A question names a plugin, what of its result is added, 3 to 250 members, 1 to 4096 numbers, an epsilon from 0.001 to 16
        and a bound from 1 to 1e12 times epsilon.
        Do: `escrow group ask --help`.

        ## E1197 an answer was not given
        Your numbers are greater than the question's bound, are not as many as it asks for, or the plugin's result does not hold
        them: nothing of them was sent. Or the sum does not open, as too few members helped, or one dealt a wrong share.
        Example: a bound of 10 where somebody has 35 contacts.
        Do: ask again, with a greater bound or without that member.

        ## E1198 answers would tell too much
        Each question costs its epsilon. In thirty days a home answers as many as its individual allows, in all its groups
        together: 4 unless they say otherwise.
        Do: wait, ask with a smaller epsilon, or allow more: `escrow group answer --budget`.

        ## E1199 what is remembered of your devices cannot be read
        `devices.json` of the home holds what this device and your others agreed on last, and the key that it cosigns with. It is
        damaged, so nothing is exchanged: a decision that is missing there could be taken for one that you took back.
        Do: restore the file from a backup of the home.
        """#
}
