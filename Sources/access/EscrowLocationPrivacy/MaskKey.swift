public import EscrowHashing

/// What noise is keyed by: a secret of the home, the app that is answered, and how often the individual has asked for new
/// noise. The same key, mechanism and cell give the same noise for ever, so a thousand answers tell what one tells; another
/// app's noise is independent of it.
public struct MaskKey: Sendable {
    private let hash: SipHash

    /// Derives an app's key.
    /// - Parameters:
    ///   - home: the home's secret for masks.
    ///   - app: who is answered. Apps that may pool their answers are given one name.
    ///   - resets: how often the individual has asked for other noise.
    public init(home: SipHash, app: String, resets: Int) {
        func half(_ number: UInt8) -> UInt64 {
            let message =
                [number] + withUnsafeBytes(of: Int64(resets).littleEndian, Array.init) + Array(app.utf8)
            return message.withUnsafeBytes { home.digest($0, rounds: 2, last: 4) }
        }
        hash = SipHash(half(1), half(2))
    }

    /// A number for what noise is for.
    func purpose(_ text: String) -> UInt64 {
        Array(text.utf8).withUnsafeBytes { hash.digest($0, rounds: 2, last: 4) }
    }

    /// The noise of a cell.
    func draws(_ purpose: UInt64, _ cell: Cell) -> KeyedDraws {
        KeyedDraws(hash: hash, purpose: purpose, cell: cell)
    }
}

/// Random numbers that are the same whenever they are asked for: SipHash-2-4 of a purpose, a cell and a counter.
struct KeyedDraws: RandomNumberGenerator {
    private let hash: SipHash
    private var message: (UInt64, UInt64, UInt64, UInt64)

    init(hash: SipHash, purpose: UInt64, cell: Cell) {
        self.hash = hash
        message = (
            purpose.littleEndian, UInt64(bitPattern: Int64(cell.row)).littleEndian,
            UInt64(bitPattern: Int64(cell.column)).littleEndian, 0
        )
    }

    mutating func next() -> UInt64 {
        let value = withUnsafeBytes(of: message) { hash.digest($0, rounds: 2, last: 4) }
        message.3 = (UInt64(littleEndian: message.3) &+ 1).littleEndian
        return value
    }
}
