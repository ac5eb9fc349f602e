internal import EscrowTabular

/// What the first rows tell of a column's type.
struct TypeInference {
    private let known: ColumnType?
    private var seen: ColumnType?

    init(known: ColumnType?) { self.known = known }

    /// The type; text for a column that was null throughout.
    var type: ColumnType { known ?? seen ?? .text }

    /// Takes a value; false if it is of another type than those before. Integers give way to floats.
    mutating func admit(_ cell: Cell) -> Bool {
        guard known == nil else { return true }
        let type: ColumnType
        switch cell {
        case .null: return true
        case .integer: type = seen == .real ? .real : .integer
        case .real: type = .real
        case .text: type = .text
        case .blob: type = .blob
        }
        guard seen == nil || seen == type || seen == .integer && type == .real else { return false }
        seen = type
        return true
    }
}
