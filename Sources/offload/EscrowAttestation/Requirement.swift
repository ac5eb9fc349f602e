internal import Crypto
public import EscrowJSON

/// What a server must show before it is given anything: which TPM, which boot state, which program, which policy, until when.
public struct Requirement: Sendable, Hashable {
    /// The attestation key's point, X and then Y.
    public var key: [UInt8]
    /// The values of the registers of the boot chain, by number.
    public var registers: [Int: [UInt8]]
    /// The register that the server's own measurements are in.
    public var pcr: Int
    /// SHA-256 of the server's executable.
    public var server: [UInt8]
    /// SHA-256 of its policy: whose plugins it runs.
    public var policy: [UInt8]
    /// Seconds since 1970 after which somebody has to look again.
    public var expires: Int64

    /// Registers that anybody on the machine can set back (TCG PC Client Platform TPM Profile, 4.6): debug, and application.
    /// 17 to 22 are set back by a later launch. What they hold proves nothing here.
    public static let resettable = Set(16...23)
    /// Firmware, its settings, the boot loader and the kernel. A server quotes them all, and all have to be required: whoever may start
    /// another system can extend the server's register by the same digests.
    public static let bootRegisters = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]
    /// The most days until somebody has to look again.
    public static let mostDays = 1096

    public init(
        key: [UInt8], registers: [Int: [UInt8]], pcr: Int, server: [UInt8], policy: [UInt8], expires: Int64
    ) {
        self.key = key
        self.registers = registers
        self.pcr = pcr
        self.server = server
        self.policy = policy
        self.expires = expires
    }

    public var json: JSONValue {
        let values: [(name: String, value: JSONValue)] = registers.sorted { $0.key < $1.key }.map {
            (name: "\($0.key)", value: .string(Hexadecimal.text($0.value)))
        }
        return [
            "key": .string(Base64.encode(key)), "registers": .object(values), "pcr": .integer(Int64(pcr)),
            "server": .string(Hexadecimal.text(server)), "policy": .string(Hexadecimal.text(policy)),
            "expires": .integer(expires),
        ]
    }

    public init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        let keyNode = try object.required("key")
        guard let key = Base64.decode(try keyNode.requireString()), key.count == 64 else {
            throw JSONError(.wrongType(expected: "the Base64 of 64 bytes"), at: keyNode.position)
        }
        self.key = key
        let list = try object.required("registers")
        registers = [:]
        guard case .object(let members) = list.content else {
            throw JSONError(.wrongType(expected: "registers by number"), at: list.position)
        }
        for member in members {
            // One spelling of each: of two that mean the same register the last would hold, unseen.
            guard let pcr = Int(member.name), 0..<24 ~= pcr, "\(pcr)" == member.name else {
                throw JSONError(.wrongType(expected: "a register, 0 to 23"), at: list.position)
            }
            registers[pcr] = try Self.digest(member.value)
        }
        let pcr = try object.required("pcr")
        guard let number = Int(exactly: try pcr.requireInteger()), 0..<24 ~= number else {
            throw JSONError(.wrongType(expected: "a register, 0 to 23"), at: pcr.position)
        }
        self.pcr = number
        server = try Self.digest(try object.required("server"))
        policy = try Self.digest(try object.required("policy"))
        expires = try object.required("expires").requireInteger()
        try object.finish()
    }

    private static func digest(_ node: JSONNode) throws(JSONError) -> [UInt8] {
        guard let bytes = Hexadecimal.bytes(try node.requireString()), bytes.count == 32 else {
            throw JSONError(.wrongType(expected: "64 hexadecimal digits"), at: node.position)
        }
        return bytes
    }

    /// All that it is about.
    var pcrs: Set<Int> { Set(registers.keys).union([pcr]) }

    /// Why it proves nothing, whatever a server shows; nil where it may.
    public func weakness(now: Int64) -> AttestationRefusal? {
        if now > expires { return .expired }
        if expires > now + Int64(Self.mostDays) * 86_400 { return .endless }
        if !pcrs.isDisjoint(with: Self.resettable) { return .resettable }
        return Self.bootRegisters.allSatisfy { registers[$0] != nil } ? nil : .bootLeftOpen
    }

    /// The first sixteen hexadecimal digits of its SHA-256: by this a grant names what it was given for. That somebody looked at the
    /// same software again is no other software, so its end is left out.
    public var name: String {
        var lasting = self
        lasting.expires = 0
        return Hexadecimal.text(Array(SHA256.hash(data: JSONWriter.line(lasting.json)).prefix(8)))
    }
}

/// Bytes as hexadecimal digits.
public enum Hexadecimal {
    public static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    public static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for at in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[at...at + 1], as: UTF8.self), radix: 16),
                digits[at] != 0x2B, digits[at] != 0x2D
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
