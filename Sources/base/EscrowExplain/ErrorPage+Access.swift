/// The pages of `escrow explain` for the codes E04xx.
extension ErrorPage {
    static let accessPages = #"""
        ## E0401 not a SELECT
        `access()` takes one statement, and it begins with SELECT or WITH. PRAGMA, ATTACH, VACUUM, EXPLAIN, VALUES and
        every statement that writes are refused before SQLite sees them.
        Example: `escrow access "PRAGMA table_info(Contacts)"`.
        What to do: write a SELECT; `escrow schema` shows the tables, `escrow access SQL --explain` the query plan.

        ## E0402 a second statement
        Something other than a comment follows the semicolon.
        Example: `SELECT givenName FROM Contacts; SELECT 1`.
        What to do: run the statements one by one.

        ## E0403 NATURAL or USING
        Both join on columns that the query does not spell out, so what it reads could not be shown to the person.
        Example: `SELECT a.id FROM Contacts a JOIN ContactPhones b USING(id)`.
        What to do: write `JOIN ... ON a.id = b.id`. A column that really bears such a name goes in double quotes.

        ## E0404 recursive query
        A common table expression reads itself, with or without the word RECURSIVE. Such a query need not end.
        Example: `WITH r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r`.
        What to do: compute series in the plugin; a WITH that does not read itself is fine.

        ## E0405 function not allowed
        The query calls a function that is not on the list: one that makes large values (`printf`, `zeroblob`, `hex`), reads the
        machine (`load_extension`, `random`, `current_timestamp`) or parses other formats (`json_*`), or one that does not exist.
        Example: `SELECT printf('%d', id) FROM Contacts`.
        What to do: use one of those that the message lists (`date('now')` for the time), or compute it in the plugin.

        ## E0406 no such table
        The query names a table that no source of this escrow serves, or one of SQLite's own (`sqlite_master`, `pragma_*`).
        Example: `SELECT * FROM People`.
        What to do: `escrow schema` lists the tables; `escrow source add` adds a source.

        ## E0407 no such column
        The query names a column that its tables do not have. The message gives line and column in the SQL, and a similar name
        if there is one. A text in double quotes is a column's name in SQL, which is a common cause.
        Example: `SELECT id FROM Contacts WHERE givenName = "Ada"`.
        What to do: `escrow schema TABLE` lists the columns; write texts in single quotes, or better as `:name` parameters.

        ## E0408 not granted
        The table or column exists, but this access was not given it: the plugin's manifest does not name it, so for the query it
        does not exist. A name never means another table's column instead because the nearest one was not granted.
        Example: a plugin whose manifest takes `Contacts.id` runs `SELECT email FROM Contacts`.
        What to do: name the column among the manifest's inputs and sign it anew, or leave it out of the query.

        ## E0409 the SQL cannot be understood
        A syntax error, or a statement that SQLite cannot prepare for a reason without a code of its own.
        Example: `SELECT FROM Contacts`.
        What to do: look at the line and column that the message names.

        ## E0410 a parameter without a value
        The query names `:name`, and no value was passed for it.
        Example: `escrow access "SELECT id FROM Contacts WHERE familyName = :f"`.
        What to do: pass `--param f=VALUE`.

        ## E0411 a value without a parameter
        A value was passed under a name that the query does not use; most often a misspelling.
        Example: `escrow access "SELECT 1" --param f=x`.
        What to do: write `:f` into the query, or drop the value.

        ## E0412 another form of parameter
        Parameters are written `:name`. The forms `?`, `?1`, `@name` and `$name` are refused, so that every value has a name.
        Example: `SELECT id FROM Contacts WHERE familyName = ?`.
        What to do: write `:name`.

        ## E0413 too long, too deep or too wide
        A limit on the text of queries: 65 536 bytes of SQL, expressions nested 64 deep, 200 columns, 10 SELECTs in a compound,
        16 arguments, 64 parameters.
        Example: `SELECT 1+1+1+...` with 70 terms.
        What to do: pass long values as parameters, split the query.

        ## E0415 two columns of one name
        Columns of a result are told apart by name.
        Example: `SELECT a.id, b.id FROM Contacts a JOIN ContactPhones b ON b.contactID = a.id`.
        What to do: `SELECT a.id AS contact, b.id AS phone ...`.

        ## E0416 another number of columns
        The manifest declares the columns that the plugin accepts, and the query yields more or fewer.
        Example: two columns declared, `SELECT id FROM Contacts`.
        What to do: select exactly the declared columns, in their order.

        ## E0417 ambiguous column
        More than one table of the query has a column of that name.
        Example: `SELECT id FROM Contacts a JOIN ContactPhones b ON b.contactID = a.id`.
        What to do: write the table or its alias before it: `a.id`.

        ## E0418 row number
        `rowid`, `oid` and `_rowid_` are positions in one reading of the source, which mean nothing in the next one; nor can a table
        that may only be counted be asked for a column.
        Example: `SELECT rowid FROM Contacts`.
        What to do: use the table's own `id`.

        ## E0419 more than reading
        The query wants to write, to open a file, or to do something else that SQLite's authorizer knows and `access()` has no use for.
        Example: `WITH x AS (SELECT 1) DELETE FROM Contacts`.
        What to do: write a SELECT.

        ## E0470 fewer rows than the plugin accepts
        A plugin may declare a minimum (`accepts.rows.min`) so that its result is never about a single person or place. The
        query gave fewer rows, so the plugin was not started. Widen the query or its parameters.

        ## E0471 no query
        The app gave no query and the plugin has no default one. Give one: `escrow run PLUGIN --sql "SELECT …"`.

        ## E0472 other columns than the plugin accepts
        The query's result must have the names, order and types that the manifest's `accepts.columns` lists. Name columns with
        `AS`. `escrow plugin show PLUGIN` prints what it accepts.

        ## E0473 the default query reads something else than declared
        For a plugin's own query the columns it reads must equal `accepts.reads`: what people grant is what happens. `escrow
        plugin check` names the difference; add it to the manifest or drop it from the query.

        ## E0474 a column in another place
        A plugin may return one of its columns and only compute over another. So an app's query must take each column from where
        the plugin's own query takes it; WHERE, ORDER BY and LIMIT are free. Columns that the plugin's own query computes can only
        be had by that query. Example: `--sql "SELECT phoneNumber AS contact, contactID AS phoneNumber FROM …"`.

        ## E0475 the plugin answers its own query only
        The plugin asks for a minimum number of rows so that its result is never about one person. Joins and limits can make many
        rows out of one person's, so such a plugin is run with its own query alone; vary its parameters instead.

        ## E0480 not of the declared type
        A value of the result is of another storage class than the manifest declares, or than the table's column promises. The
        message names the column and the row, never the value. An integer is taken for a float if that loses nothing.
        Example: `SELECT familyName AS age ...` where `age` is declared as integer.
        What to do: `CAST(... AS INTEGER)`, or declare the type that the query yields.

        ## E0481 the type changed
        Without declared types a computed column gets the type of its first rows, and a later row did not keep to it.
        Example: `SELECT CASE WHEN id > 5000 THEN 'many' ELSE id END AS n FROM Contacts`.
        What to do: write CAST around the expression.

        ## E0482 not a boolean
        A boolean is the integer 0 or 1.
        Example: `SELECT id FROM Contacts` where a boolean is declared.
        What to do: write a comparison, `id <> 0`.

        ## E0483 not a moment
        A moment is text such as `2026-03-01T12:00:00Z`, with its zone.
        Example: `SELECT date('now')` where a timestamp is declared.
        What to do: `strftime('%Y-%m-%dT%H:%M:%fZ', ...)`.

        ## E0484 not an asset
        The text in an asset column is no handle that this run gave out.
        Example: `SELECT 'photo.jpg' AS asset` where an asset is declared.
        What to do: select the table's asset column itself, unchanged.

        ## E0485 not UTF-8
        A computed text is not valid UTF-8.
        Example: `SELECT CAST(x'ff' AS TEXT) AS t`.
        What to do: hand the bytes over as a blob, or do not cut texts as blobs.

        ## E0486 cannot be computed
        An expression has no result: a sum beyond 64 bits, a pattern of LIKE beyond 128 bytes, `instr` or `replace` for more than
        256 bytes, `trim` of more than 64.
        Example: `SELECT sum(9223372036854775807 + 0 * id) AS s FROM Contacts`.
        What to do: as the message says; `total()` adds floats.

        ## E0490 too many rows
        The query yields more rows than the access may deliver. Nothing is cut silently: the run fails.
        Example: a run with a limit of 10 rows over `SELECT id FROM Contacts`.
        What to do: narrow the query with WHERE or LIMIT, or raise the limit.

        ## E0491 too many bytes
        The query yields more bytes than the access may deliver.
        Example: `SELECT note FROM Contacts` over long notes with a small limit.
        What to do: read fewer columns or rows, or raise the limit.

        ## E0492 out of time
        The query was at work longer than its seconds; the time that the plugin takes between two requests does not count.
        Example: `SELECT count(*) FROM Location a, Location b WHERE a.latitude < b.latitude`.
        What to do: join on equal columns, narrow the query with WHERE.

        ## E0493 too many rows held
        Sorting all rows of a table holds them in memory, up to 64 MiB unless told otherwise.
        Example: `SELECT * FROM Location ORDER BY horizontalAccuracy` over millions of points.
        What to do: add LIMIT (the first rows of an order need little memory), read fewer columns, or sort in the plugin.

        ## E0494 SQLite out of memory
        SQLite itself would need more than 256 MiB, for DISTINCT, GROUP BY or an order that only it can make.
        Example: `SELECT DISTINCT latitude || longitude AS p FROM Location ORDER BY p`.
        What to do: read fewer columns, narrow the query with WHERE.

        ## E0495 cancelled
        The access was ended from outside: the run was interrupted, or the plugin ended first.
        Example: Ctrl-C during `escrow run`.
        What to do: nothing; run it again.

        ## E0496 a value too long
        A text, a blob or a row to sort is longer than 4 000 000 bytes.
        Example: `SELECT length(group_concat(note)) AS n FROM Contacts` over many long notes.
        What to do: leave the column out, or group more narrowly.

        ## E0497 too many steps
        The query took more instructions of SQLite's virtual machine than its budget has.
        Example: a cross join of three large tables.
        What to do: join on equal columns, narrow the query with WHERE.

        ## E0498 SQLite is not fit
        SQLite is older than 3.38, or refuses a setting without which hostile SQL must not run.
        Example: a home-made SQLite without virtual tables.
        What to do: install the distribution's `libsqlite3-0`; `escrow doctor` shows the version.

        ## E0850 too much to materialize
        The engine `materialized` copies the columns that the query names into tables of SQLite, in memory, up to 96 MiB unless
        told otherwise.
        Example: `escrow access --engine materialized 'SELECT * FROM Location'` over millions of points.
        What to do: use the engine `pushdown`, which keeps no copy, or name fewer columns.
        """#
}
