package import EscrowDiagnostics

/// A file that yields rows, one at a time, in memory that does not depend on the file's size.
package protocol RowReader: AnyObject {
    /// Reads the next record and sets its values in `row`, whose values are all null before.
    ///
    /// Which records there are must not depend on the columns asked for. What cannot be served is told as a
    /// ``FileProblem``; what stands before a fault in the file is served.
    ///
    /// - Throws: what makes the whole scan fail.
    /// - Returns: false at the end of what can be read; values that were set until then make no row.
    func next(_ row: RowBuilder) throws(Diagnostic) -> Bool
}
