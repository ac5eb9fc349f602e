internal import CSQLite
internal import EscrowSchema
internal import Glibc

/// One term of a WHERE clause over a chunk's rows: it compacts row positions, two thousand at a time, by SQLite's
/// rules of comparison. A closure for each row would cost twenty times as much.
struct Kernel {
    struct Outcomes: OptionSet {
        let rawValue: UInt8
        static let less = Outcomes(rawValue: 1)
        static let equal = Outcomes(rawValue: 2)
        static let greater = Outcomes(rawValue: 4)

        /// Whether a comparison's result, negative, zero or positive, is among these.
        @inline(__always) func admits(_ order: Int) -> Bool {
            rawValue & (order < 0 ? 1 : order == 0 ? 2 : 4) != 0
        }

        init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The outcomes that meet an operation; nil if it is no comparison.
        init?(_ operation: Predicate.Operation) {
            switch operation {
            case .equal, .is: self = .equal
            case .notEqual, .isNot: self = [.less, .greater]
            case .less: self = .less
            case .lessOrEqual: self = [.less, .equal]
            case .greater: self = .greater
            case .greaterOrEqual: self = [.greater, .equal]
            case .isNull, .notNull, .like, .glob, .in: return nil
            }
        }
    }

    private enum Test {
        case isNull
        case notNull
        case integers(Outcomes, Int64)
        case reals(Outcomes, Double)
        /// An integer column against a float, or the other way round: never by converting the integer.
        case integersToReal(Outcomes, Double)
        case realsToInteger(Outcomes, Int64)
        case sameBytes([UInt8])
        case bytes(Outcomes, [UInt8])
        case foldedText(Outcomes, [UInt8])
        case like(Pattern)
        case glob(Pattern)
        case integerSet(Set<Int64>)
        case realSet(Set<Double>)
        case byteSet(Set<[UInt8]>)
        case foldedSet([[UInt8]])
    }

    let column: Int
    private let test: Test
    /// Whether rows without a value pass a comparison: only `IS NOT value` lets them.
    private let nullsPass: Bool

    /// What becomes of a term once its right side is known.
    enum Resolution {
        /// Rows are tested.
        case kernel(Kernel)
        /// No row can pass.
        case never
        /// SQLite alone decides.
        case leaveToSQLite
    }

    /// The kernel for a term with one right side.
    static func resolve(
        column: Int, operation: Predicate.Operation, collation: Predicate.Collation, kind: ValueKind,
        operand: Operand
    ) -> Resolution {
        func kernel(_ test: Test, nulls: Bool = false) -> Resolution {
            .kernel(Kernel(column: column, test: test, nullsPass: nulls))
        }
        switch operation {
        case .isNull: return kernel(.isNull)
        case .notNull: return kernel(.notNull)
        default: break
        }
        if case .null = operand {
            switch operation {
            case .is: return kernel(.isNull)
            case .isNot: return kernel(.notNull)
            default: return .never
            }
        }
        guard operand.decides(against: kind, operation) else { return .leaveToSQLite }
        if case .text(let pattern) = operand {
            if operation == .like { return kernel(.like(Pattern(pattern))) }
            if operation == .glob { return kernel(.glob(Pattern(pattern))) }
        }
        guard let outcomes = Outcomes(operation) else { return .leaveToSQLite }
        let nulls = operation == .isNot
        switch (operand, kind) {
        case (.integer(let value), .integer): return kernel(.integers(outcomes, value), nulls: nulls)
        case (.real(let value), .real): return kernel(.reals(outcomes, value), nulls: nulls)
        case (.real(let value), .integer): return kernel(.integersToReal(outcomes, value), nulls: nulls)
        case (.integer(let value), .real): return kernel(.realsToInteger(outcomes, value), nulls: nulls)
        case (.text(let value), .text) where collation == .noCase:
            return kernel(.foldedText(outcomes, value), nulls: nulls)
        case (.text(let value), .text), (.blob(let value), .blob):
            return outcomes == .equal
                ? kernel(.sameBytes(value)) : kernel(.bytes(outcomes, value), nulls: nulls)
        default: return .leaveToSQLite
        }
    }

    /// The kernel for an IN. A list of mixed classes goes back to SQLite.
    static func resolve(
        column: Int, list: [Operand], collation: Predicate.Collation, kind: ValueKind
    ) -> Resolution {
        var integers: Set<Int64> = []
        var reals: Set<Double> = []
        var texts: Set<[UInt8]> = []
        for operand in list {
            switch (operand, kind) {
            case (.null, _): break
            case (.integer(let value), .integer): integers.insert(value)
            case (.real(let value), .real): reals.insert(value)
            case (.text(let value), .text), (.blob(let value), .blob): texts.insert(value)
            default: return .leaveToSQLite
            }
        }
        func kernel(_ test: Test) -> Resolution {
            .kernel(Kernel(column: column, test: test, nullsPass: false))
        }
        switch kind {
        case .integer: return integers.isEmpty ? .never : kernel(.integerSet(integers))
        case .real: return reals.isEmpty ? .never : kernel(.realSet(reals))
        case .text, .blob:
            if texts.isEmpty { return .never }
            if collation == .noCase, kind == .text {
                return texts.count > 8 ? .leaveToSQLite : kernel(.foldedSet(Array(texts)))
            }
            return kernel(.byteSet(texts))
        case .absent: return .leaveToSQLite
        }
    }

    /// Keeps the rows that pass, in order, and returns how many they are.
    func apply(_ view: ColumnChunk.View, _ rows: UnsafeMutablePointer<UInt32>, _ count: Int) -> Int {
        switch test {
        case .isNull: return keep(rows, count) { !view.hasValue($0) }
        case .notNull: return keep(rows, count) { view.hasValue($0) }
        case .integers(let outcomes, let value):
            return compare(view, rows, count) { outcomes.admits(compareValues(view.integer($0), value)) }
        case .reals(let outcomes, let value):
            return compare(view, rows, count) { outcomes.admits(compareValues(view.real($0), value)) }
        case .integersToReal(let outcomes, let value):
            return compare(view, rows, count) { outcomes.admits(compareNumbers(view.integer($0), value)) }
        case .realsToInteger(let outcomes, let value):
            return compare(view, rows, count) { outcomes.admits(-compareNumbers(value, view.real($0))) }
        case .sameBytes(let value):
            return value.withUnsafeBytes { wanted in
                compare(view, rows, count) {
                    let own = view.bytes($0)
                    return own.count == wanted.count
                        && (wanted.isEmpty || memcmp(own.baseAddress!, wanted.baseAddress!, own.count) == 0)
                }
            }
        case .bytes(let outcomes, let value):
            return value.withUnsafeBytes { wanted in
                compare(view, rows, count) { outcomes.admits(compareBytes(view.bytes($0), wanted)) }
            }
        case .foldedText(let outcomes, let value):
            return value.withUnsafeBytes { wanted in
                compare(view, rows, count) { outcomes.admits(compareFolded(view.bytes($0), wanted)) }
            }
        case .like(let pattern): return compare(view, rows, count) { pattern.isLike(view.bytes($0)) }
        case .glob(let pattern): return compare(view, rows, count) { pattern.isGlob(view.bytes($0)) }
        case .integerSet(let set): return compare(view, rows, count) { set.contains(view.integer($0)) }
        case .realSet(let set): return compare(view, rows, count) { set.contains(view.real($0)) }
        case .byteSet(let set):
            if set.count > 8 { return compare(view, rows, count) { set.contains(Array(view.bytes($0))) } }
            let list = Array(set)
            return compare(view, rows, count) { row in
                list.contains { $0.withUnsafeBytes { compareBytes(view.bytes(row), $0) == 0 } }
            }
        case .foldedSet(let list):
            return compare(view, rows, count) { row in
                list.contains { $0.withUnsafeBytes { compareFolded(view.bytes(row), $0) == 0 } }
            }
        }
    }

    @inline(__always)
    private func compare(
        _ view: ColumnChunk.View, _ rows: UnsafeMutablePointer<UInt32>, _ count: Int, _ passes: (Int) -> Bool
    ) -> Int {
        let nullsPass = nullsPass
        return keep(rows, count) { view.hasValue($0) ? passes($0) : nullsPass }
    }

    @inline(__always)
    private func keep(
        _ rows: UnsafeMutablePointer<UInt32>, _ count: Int, _ passes: (Int) -> Bool
    ) -> Int {
        var kept = 0
        for index in 0..<count {
            let row = rows[index]
            rows[kept] = row
            kept &+= passes(Int(row)) ? 1 : 0
        }
        return kept
    }
}

/// A pattern of LIKE or GLOB, matched by SQLite's own code.
final class Pattern {
    /// The most steps for a row. A text that takes more passes, and SQLite's function decides, which looks at the clock.
    private static let mostSteps = 1 << 17

    private let pattern: [CChar]
    private var scratch: [CChar] = []

    init(_ bytes: [UInt8]) { pattern = bytes.map { CChar(bitPattern: $0) } + [0] }

    func isLike(_ text: UnsafeRawBufferPointer) -> Bool {
        terminated(text) { sqlite3_strlike(pattern, $0, 0) == 0 }
    }

    func isGlob(_ text: UnsafeRawBufferPointer) -> Bool {
        terminated(text) { sqlite3_strglob(pattern, $0) == 0 }
    }

    /// SQLite matches C strings; texts lie in their arena without a NUL behind them.
    private func terminated(_ text: UnsafeRawBufferPointer, _ body: (UnsafePointer<CChar>) -> Bool) -> Bool {
        guard text.count * pattern.count <= Self.mostSteps else { return true }
        if scratch.count <= text.count { scratch = [CChar](repeating: 0, count: max(256, text.count * 2)) }
        return scratch.withUnsafeMutableBufferPointer { buffer in
            if let start = text.baseAddress { memcpy(buffer.baseAddress!, start, text.count) }
            buffer[text.count] = 0
            return body(UnsafePointer(buffer.baseAddress!))
        }
    }
}
