/// The pages of `escrow explain` for the codes E1150 to E1199.
extension ErrorPage {
    static let minimisationPages = #"""
        ## E1150 no way to serve data more coarsely
        A term that says how data is to be coarser is not spelled as one. There are `deresolve(Table.column, hour)` (`minute`,
        `hour`, `day`, `month`, `year`), `round(Table.column, 1)` (decimals, −12 to 12), `truncate(Table.column, 1)` (leading
        characters), `hash(Table.column, per-app)`, `strip(Table.asset)`, `drop(Table.column)`, `sample(Table, 0.1)`, `sample(Table, 0.1, person)` and
        `aggregate(Table, 5)`.
        Example: `--coarser "round(latitude, 1)"`, which names no table.
        What to do: correct the term; docs/spec/minimisation.md tells what each does.

        ## E1151 no way to read data more coarsely
        An item of `accepts.reads` has parentheses, so it is a term about coarser data, but it is none that there is. Within a
        manifest a term names its column alone: `round(latitude, 1)`, `deresolve(timestamp, hour)`, `truncate(givenName, 1)`,
        `hash(id, per-app)`, `sample(0.1)`, `aggregate(5)`. A column that nobody needs is left out instead of dropped.
        Example: `"reads": { "Location": ["round(Location.latitude, 1)"] }`.
        What to do: correct the term; docs/spec/minimisation.md tells what each does.

        ## E1152 a transform that does not fit
        A term about coarser data names a column that the table does not have, or one of a type that the technique has no
        meaning for: `round` is for numbers, `deresolve` for moments and dates, `truncate` for texts, `hash` for texts and whole
        numbers, `strip` for files, `drop` for all. Files cannot be handed out of a table that is served in groups.
        Example: `round(Contacts.givenName, 1)`.
        What to do: `escrow schema TABLE` lists the columns with their types; use another technique, or `drop`.

        ## E1153 too many different rows to count in groups
        With `aggregate(Table, n)` a row is served only if n rows are alike in all columns that may be read. To know that, the
        host counts every kind of row, and there are more than two million.
        What to do: let coarser or fewer columns be read, for example with `round` or `deresolve`, so that more rows are alike.

        ## E1160 an identifier that was given
        The plugin's manifest asks the host to fill this parameter in with one of your identifiers. An app, or a command, cannot
        set it: it could pass for somebody else.
        Example: `--param installation=x`.
        What to do: leave the parameter out.

        ## E1161 an identifier that is not allowed
        A parameter with `identifier` is filled in by the host, so it has no bounds and no default: `"type": "text"` and `why`, no
        more. And the advertising identifier is told to plugins alone whose purpose is `advertising`.
        Example: `"installation": { "type": "text", "identifier": "application", "maxLength": 36 }`.
        What to do: drop the bounds, or ask for `application` or `vendor`.

        ## E1162 identifiers unreadable
        `identifiers.json` of the escrow home is not as it was written, or holds as many identifiers as are kept (10 000 apps,
        10 000 publishers). Nothing that needs an identifier or a pseudonym runs until that is mended.
        What to do: restore the file from a backup, or remove it: every app and publisher is then given new identifiers, and
        pseudonyms are other ones than before. If there are too many, `escrow id list` shows and `escrow id reset` forgets them.

        ## E1163 no such identifier
        Nothing was reset, because nobody was given such an identifier.
        Example: `escrow id reset application org.example.nosuch`.
        What to do: `escrow id list` shows which there are.

        ## E1164 no number of this machine
        Some identifiers belong to one machine, so the host has to tell machines apart: by `/etc/machine-id`, which it never
        stores or shows, or by a random number under `XDG_STATE_HOME` (`~/.local/state`). There is neither.
        What to do: set HOME or XDG_STATE_HOME, or make `/etc/machine-id` with `systemd-machine-id-setup`.

        ## E1170 no backup
        The file does not begin as a backup of `escrow backup` does, or it is of a format that this version does not read, or its
        first 48 bytes are damaged.
        What to do: name another file or another copy; docs/spec/backup.md has the format.

        ## E1171 wrong passphrase, or an altered backup
        A part of the backup could not be opened. Either the passphrase is another one, or a byte of the file is not as it was
        written, or its end is missing: nobody can tell which, since that takes the passphrase. Nothing was restored.
        What to do: type the passphrase again, with the keyboard layout of that time; else use another copy.

        ## E1172 a backup that holds something else
        The passphrase is right and no byte was altered, yet the backup holds what `escrow backup` never writes: a path that leads
        out of the folder, a file before its folder, no end. Somebody who knows the passphrase made it. Nothing was restored.
        What to do: use another copy, and ask where this one came from.

        ## E1173 no passphrase, or a short one
        A backup is encrypted with a passphrase of at least 12 characters. It is asked for on the terminal, or read from
        `--passphrase-file` or `--passphrase-fd`; never from an argument or a variable, which other programs can see.
        Example: `escrow backup home.escrow-backup </dev/null`, without a terminal.
        What to do: run the command on a terminal, or write the passphrase into a file that only you can read.

        ## E1174 the file exists already
        `escrow backup` replaces no file, so that an old backup is not lost by a new one that fails.
        What to do: name a file that does not exist.

        ## E1175 the home cannot be backed up
        The escrow home holds something that is neither a file nor a folder, or a file became shorter while it was read, or there is
        too little memory to make the key (64 MiB). Nothing was written.
        What to do: the message names the file; remove what does not belong there, or try again.

        ## E1180 rules about places that cannot be read
        `location.json` in the home holds the rules about places and the secret that noise is made with, and `location.places.NAME.json`
        a list of places. One of them is damaged, so that nothing is told of any place: a rule that cannot be read may forbid it.
        What to do: restore the file from a backup; or remove it and add the rules, or the list, anew. New rules draw new noise.

        ## E1181 a rule about places that is none
        A rule is about an app, a kind of service, hours (`--from 22:00 --until 06:00`, both or neither) or a place
        (`--near LATITUDE,LONGITUDE --within METRES`), and tells `none`, `country`, `city`, `neighbourhood`, `street` or `exact`.
        What to do: correct the option that the message names.

        ## E1182 no such rule about places
        There is no rule of that number.
        What to do: `escrow location rule list`.

        ## E1183 no list of places
        Masks look up where people live in `places.gazetteer`, which lies in `lib/escrow` beside the `bin` of an installed escrow,
        or in the checkout. It is missing or damaged; without it nothing is told of any place.
        What to do: install escrow anew.

        ## E1184 a mechanism that is none
        The message says what is wrong with its spelling; docs/location-privacy.md lists all of them.
        What to do: for example `--mechanism "donut(100, 500)"`.

        ## E1185 a list of places that is none
        `escrow location places add NAME FILE` takes waypoints of GPX, placemarks of KML, points of GeoJSON, or a table in text whose first
        line names a column of latitudes and one of longitudes, such as `stops.txt` of a timetable. A name has lower-case letters and
        hyphens; `towns` is the gazetteer's. A list that a rule tells from is not removed.
        What to do: the message says what is wrong, and in which line.

        ## E1186 no such list of places
        `snap(NAME)` tells the nearest place of one of your lists, and there is none of that name.
        What to do: `escrow location places list`, or add it: `escrow location places add NAME FILE`.

        ## E1370 nobody tells where this machine is
        `escrow location follow` asks gpsd at a port of this machine, or GeoClue over the system's D-Bus. It is not there, or ended
        the connection.
        What to do: `systemctl status gpsd` or `geoclue`; name the other provider with `--from`.

        ## E1371 an app that is never told live where you are
        You decided so, or live location was begun hundreds of times within a day.
        What to do: `escrow location live` shows who follows; `escrow location live allow` decides anew.

        ## E1372 undecided who is told live where you are
        Live location needs a decision of its own for each app: never, while it is used, or always.
        What to do: `escrow location live allow --app ID while-using`.

        ## E1373 decisions about live location that cannot be read
        `live.json` in the home is damaged, so nobody is told where you are: what cannot be read may forbid it.
        What to do: restore the file from a backup; or remove it and decide anew.

        ## E1374 what was told of your places cannot be read
        `location.memory.json` in the home says what each app was told last, and what is spent of the day's noise. It is damaged, so
        nothing is told by masks that need it.
        What to do: restore the file from a backup; or remove it: the day's budget then begins anew.
        """#
}
