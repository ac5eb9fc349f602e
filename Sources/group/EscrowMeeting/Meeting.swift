internal import Crypto
internal import FoundationEssentials

/// Bytes between two devices, whole messages at a time.
public protocol MeetingChannel: AnyObject {
    func send(_ bytes: [UInt8]) throws(MeetingError)
    /// One message of the other side, of so many bytes at most.
    func receive(atMost count: Int) throws(MeetingError) -> [UInt8]
}

/// Why two devices did not meet.
public enum MeetingError: Error, Sendable, Equatable {
    /// The network failed, or the other side went away.
    case broken
    /// The other side was too slow.
    case slow
    /// The owner's side said nothing at all: no code was compared.
    case unanswered
    /// The other side does not know the code.
    case wrongCode
    /// The other side does not keep to the protocol.
    case malformed
    /// The machine's cryptography failed.
    case noRandomness
    /// Nobody came in time who knows the code.
    case nobodyCame
    /// So many wrong codes were tried that somebody may be guessing.
    case tooManyTries
}

/// Two devices that met by a short code: what they send each other nobody else reads or alters.
public final class Meeting {
    private let channel: any MeetingChannel
    private let sending: SymmetricKey
    private let receiving: SymmetricKey
    private var sent: UInt64 = 0
    private var received: UInt64 = 0

    /// Whose side this is: the owner waits, the new member arrives.
    public enum Role: Sendable {
        case owner, newcomer
    }

    /// Eight digits. Each run of the exchange lets somebody try one of them.
    public static func newCode() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = String(UInt64.random(in: 0..<100_000_000, using: &generator))
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Digits alone, however somebody spaced them.
    static func digits(of code: String) -> [UInt8] { code.utf8.filter { (0x30...0x39).contains($0) } }

    /// One side's part of the exchange, before anything of it was sent.
    static func exchange(_ role: Role, code: String) throws(MeetingError) -> PasswordExchange {
        let names = (a: Array("escrow newcomer".utf8), b: Array("escrow owner".utf8))
        guard
            let exchange = PasswordExchange(
                role == .newcomer ? .a : .b, code: Self.digits(of: code), names: names)
        else { throw .noRandomness }
        return exchange
    }

    /// Meets. The newcomer shows first that they know the code, so that who does not know it learns nothing of the owner's.
    public convenience init(_ role: Role, over channel: any MeetingChannel, code: String) throws(MeetingError)
    {
        let exchange = try Self.exchange(role, code: code)
        do { try channel.send(exchange.message) } catch {
            throw role == .newcomer ? .unanswered : error
        }
        try self.init(role, over: channel, begun: exchange)
    }

    /// Goes on once the own part of the exchange was sent.
    init(_ role: Role, over channel: any MeetingChannel, begun exchange: PasswordExchange)
        throws(MeetingError)
    {
        self.channel = channel
        let theirs: [UInt8]
        do { theirs = try channel.receive(atMost: 33) } catch {
            // The owner speaks first, whoever comes: the code has nothing to do with it.
            let isSilent = error == .broken || error == .slow
            throw role == .newcomer && isSilent ? .unanswered : error
        }
        guard let key = exchange.key(from: theirs) else { throw .malformed }
        func made(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key), info: Array("escrow meeting 1 \(purpose)".utf8),
                outputByteCount: 32)
        }
        func proof(_ purpose: String) -> [UInt8] { made(purpose).withUnsafeBytes { Array($0) } }
        func check() throws(MeetingError) {
            let found = try channel.receive(atMost: 32)
            let expected = proof(role == .owner ? "newcomer knows" : "owner knows")
            // Compared in a time that does not depend on where they differ.
            guard found.count == 32, zip(found, expected).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else {
                throw .wrongCode
            }
        }
        switch role {
        case .newcomer:
            try channel.send(proof("newcomer knows"))
            try check()
            (sending, receiving) = (made("to owner"), made("to newcomer"))
        case .owner:
            try check()
            try channel.send(proof("owner knows"))
            (sending, receiving) = (made("to newcomer"), made("to owner"))
        }
    }

    private static func nonce(_ number: UInt64) -> [UInt8] {
        [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    public func send(_ bytes: [UInt8]) throws(MeetingError) {
        guard let nonce = try? ChaChaPoly.Nonce(data: Self.nonce(sent)),
            let box = try? ChaChaPoly.seal(bytes, using: sending, nonce: nonce)
        else { throw .noRandomness }
        sent += 1
        try channel.send(Array(box.ciphertext) + Array(box.tag))
    }

    public func receive(atMost count: Int) throws(MeetingError) -> [UInt8] {
        let bytes = try channel.receive(atMost: count + 16)
        guard bytes.count >= 16, let nonce = try? ChaChaPoly.Nonce(data: Self.nonce(received)),
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce, ciphertext: bytes.dropLast(16), tag: bytes.suffix(16)),
            let opened = try? ChaChaPoly.open(box, using: receiving)
        else { throw .malformed }
        received += 1
        return Array(opened)
    }
}
