/// What a server shows for what runs on it: a TPM's signed statement, and the measurements that lead to its registers.
///
/// Nothing in it is believed: the verifier computes each register anew from the measurements and compares with what was signed.
public struct Evidence: Sendable, Equatable {
    /// A digest by which a register was extended, and what of.
    public struct Measurement: Sendable, Equatable {
        public var pcr: Int
        public var name: String
        public var digest: [UInt8]

        public init(pcr: Int, name: String, digest: [UInt8]) {
            self.pcr = pcr
            self.name = name
            self.digest = digest
        }
    }

    /// TPMS_ATTEST as it was signed (TPM 2.0 Library, part 2, 10.12.8).
    public var statement: [UInt8]
    /// ECDSA over P-256 and SHA-256: R and then S.
    public var signature: [UInt8]
    /// The values of quoted registers that firmware extended, by number: their own logs are not looked into.
    public var registers: [Int: [UInt8]]
    /// What the server measured itself, in order.
    public var measurements: [Measurement]

    public static let mostBytes = 16_384

    public init(
        statement: [UInt8], signature: [UInt8], registers: [Int: [UInt8]], measurements: [Measurement]
    ) {
        self.statement = statement
        self.signature = signature
        self.registers = registers
        self.measurements = measurements
    }

    /// Lengths before everything, numbers of one byte: `statement, signature, registers, measurements`.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        func add(_ piece: [UInt8]) {
            bytes += [UInt8(truncatingIfNeeded: piece.count >> 8), UInt8(truncatingIfNeeded: piece.count)]
            bytes += piece
        }
        add(statement)
        add(signature)
        bytes.append(UInt8(registers.count))
        for (pcr, value) in registers.sorted(by: { $0.key < $1.key }) {
            bytes.append(UInt8(pcr))
            add(value)
        }
        bytes.append(UInt8(measurements.count))
        for measurement in measurements {
            bytes.append(UInt8(measurement.pcr))
            add(Array(measurement.name.utf8))
            add(measurement.digest)
        }
        return bytes
    }

    /// Reads what a server sent; nil for anything else.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes else { return nil }
        var rest = bytes[...]
        func byte() -> Int? { rest.popFirst().map(Int.init) }
        func piece(atMost most: Int) -> [UInt8]? {
            guard let high = byte(), let low = byte() else { return nil }
            let count = high << 8 | low
            guard count <= most, count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard let statement = piece(atMost: 1024), let signature = piece(atMost: 64), let count = byte(),
            count <= 24
        else { return nil }
        var registers: [Int: [UInt8]] = [:]
        for _ in 0..<count {
            guard let pcr = byte(), pcr < 24, registers[pcr] == nil, let value = piece(atMost: 32),
                value.count == 32
            else { return nil }
            registers[pcr] = value
        }
        guard let steps = byte(), steps <= 64 else { return nil }
        var measurements: [Measurement] = []
        for _ in 0..<steps {
            guard let pcr = byte(), pcr < 24, let name = piece(atMost: 64), let digest = piece(atMost: 32),
                digest.count == 32, let text = String(validating: name, as: UTF8.self)
            else { return nil }
            measurements.append(Measurement(pcr: pcr, name: text, digest: digest))
        }
        guard rest.isEmpty else { return nil }
        self.init(
            statement: statement, signature: signature, registers: registers, measurements: measurements)
        guard encoded == bytes else { return nil }
    }
}
