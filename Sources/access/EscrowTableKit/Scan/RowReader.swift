package import EscrowDiagnostics

/// A file that yields rows, one at a time, in memory that does not depend on the file's size.
package protocol RowReader: AnyObject {
    /// Reads the next record and sets its values in `row`, whose values are all null before.
    ///
    /// A record that is none of the table's may be ruled out and handed over like others: the scan looks at the clock between
    /// two records. A reader that passes over any number of them within one step asks ``RowBuilder/isDue``.
    ///
    /// Which records there are must not depend on the columns asked for. What cannot be served is told as a
    /// ``FileProblem``; what stands before a fault in the file is served.
    ///
    /// - Throws: what makes the whole scan fail.
    /// - Returns: false at the end of what can be read; values that were set until then make no row.
    func next(_ row: RowBuilder) throws(Diagnostic) -> Bool
}
