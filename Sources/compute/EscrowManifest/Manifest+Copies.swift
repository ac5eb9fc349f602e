public import EscrowDiagnostics
import EscrowTabular

extension Manifest {
    /// Whether it may hand rows on as they are: a table whose every column has the name and the type of a column that it
    /// accepts.
    var isShapedAsRows: Bool {
        guard case .table(let table) = result.kind, !table.columns.isEmpty else { return false }
        return table.columns.allSatisfy { field in
            accepts.columns.contains { $0.name == field.name && field.type.canHold($0.type) }
        }
    }

    /// Holds a plugin that hands rows on as they are to the purpose that says so, which the sheet shows in red. Throws E1123.
    ///
    /// This looks at shapes. A plugin that hides rows in another shape is bounded by the size of its result, which is
    /// measured in bits and shown.
    public func checkCopies() throws(Diagnostic) {
        guard isShapedAsRows, purpose.code != .dataCopy else { return }
        throw Diagnostic(
            .rowsHandedOn, "\(PluginID.shortName(id)) would hand rows on as they are, and does not say so",
            notes: ["its result is a table of the very columns that it accepts"],
            help: "plugin authors: the purpose of a plain copy is \"data-copy\", or return less")
    }
}

extension ResultType {
    /// Whether any value of a column fits, so that nothing is lost on the way.
    fileprivate func canHold(_ type: ColumnType) -> Bool {
        switch (self, type) {
        case (.text(_, nil), .text): true
        case (.integer(_, nil), .integer), (.real, .real), (.real, .integer): true
        case (.boolean, _), (.list, _), (.text, _), (.integer, _), (.real, _): false
        case (.blob, _): type == .blob
        }
    }
}
