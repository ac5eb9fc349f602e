/// The pages of `escrow explain` for the codes E1150 to E1199.
extension ErrorPage {
    static let minimisationPages = #"""
        ## E1150 no way to serve data more coarsely
        A term that says how data is to be coarser is not spelled as one. There are `deresolve(Table.column, hour)` (`minute`,
        `hour`, `day`, `month`, `year`), `round(Table.column, 1)` (decimals, −12 to 12), `truncate(Table.column, 1)` (leading
        characters), `hash(Table.column, per-app)`, `drop(Table.column)`, `sample(Table, 0.1)`, `sample(Table, 0.1, person)` and
        `aggregate(Table, 5)`.
        Example: `--coarser "round(latitude, 1)"`, which names no table.
        What to do: correct the term; docs/spec/minimisation.md tells what each does.

        ## E1152 a transform that does not fit
        A term about coarser data names a column that the table does not have, or one of a type that the technique has no
        meaning for: `round` is for numbers, `deresolve` for moments and dates, `truncate` for texts, `hash` for texts and whole
        numbers, `drop` for all. Files cannot be handed out of a table that is served in groups.
        Example: `round(Contacts.givenName, 1)`.
        What to do: `escrow schema TABLE` lists the columns with their types; use another technique, or `drop`.

        ## E1153 too many different rows to count in groups
        With `aggregate(Table, n)` a row is served only if n rows are alike in all columns that may be read. To know that, the
        host counts every kind of row, and there are more than two million.
        What to do: let coarser or fewer columns be read, for example with `round` or `deresolve`, so that more rows are alike.
        """#
}
