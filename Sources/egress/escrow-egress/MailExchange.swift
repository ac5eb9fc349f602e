import EscrowEgress
import EscrowEgressWire
import EscrowJSON

/// Hands in one mail over a connection: RFC 5321, RFC 6409, RFC 4954. One command at a time, and whatever a server says of itself
/// is passed over, but for its numbers.
struct MailExchange {
    private let connection: Connection
    private let clock: ExchangeClock
    private var rest: [UInt8] = []

    /// RFC 5321 section 4.5.3.1.5 has 512; some servers say more.
    private static let longestLine = 2_048
    private static let mostLines = 100

    init(_ connection: Connection, _ clock: ExchangeClock) {
        self.connection = connection
        self.clock = clock
    }

    /// The number with which the server took or refused the mail.
    mutating func hand(in message: [UInt8], _ mail: SendOrder.Mail) throws(TransportFailure) -> Int {
        guard try reply().code == 220 else { throw .malformed }
        // The address of the loopback: whoever takes it sees where it comes from, and a name would say more.
        let greeted = try command("EHLO [127.0.0.1]")
        guard greeted.code == 250 else { return greeted.code }
        let takesPlain = greeted.lines.contains { line in
            let words = line.uppercased().split(separator: " ")
            return words.first == "AUTH" && words.contains("PLAIN")
        }
        let secret = Base64.encode([0] + Array(mail.login.user.utf8) + [0] + Array(mail.login.password.utf8))
        guard takesPlain, try command("AUTH PLAIN \(secret)").code == 235 else {
            try quit()
            throw .login
        }
        for words in ["MAIL FROM:<\(mail.sender)>", "RCPT TO:<\(mail.recipient)>", "DATA"] {
            let code = try command(words).code
            guard (200..<400).contains(code) else {
                try quit()
                return code
            }
        }
        try connection.send(Self.stuffed(message) + Array(".\r\n".utf8), clock)
        let code = try reply().code
        try quit()
        return code
    }

    /// A line that begins with a dot has another before it: RFC 5321 section 4.5.2.
    private static func stuffed(_ message: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var isAtStart = true
        for byte in message {
            if isAtStart, byte == 0x2E { output.append(byte) }
            output.append(byte)
            isAtStart = byte == 0x0A
        }
        return output
    }

    /// The server may be gone by now: that is no matter.
    private mutating func quit() throws(TransportFailure) {
        do throws(TransportFailure) { _ = try command("QUIT") } catch {
            if error == .deadline { throw error }
        }
    }

    private mutating func command(_ words: String) throws(TransportFailure) -> (code: Int, lines: [String]) {
        // No command of ours has them: a name or address with one would be another command.
        guard !words.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { throw .malformed }
        try connection.send(Array((words + "\r\n").utf8), clock)
        return try reply()
    }

    /// One reply of one or more lines: RFC 5321 section 4.2.1. What comes beyond it was not asked for.
    private mutating func reply() throws(TransportFailure) -> (code: Int, lines: [String]) {
        var lines: [String] = []
        while lines.count < Self.mostLines {
            let line = try line()
            let digits = line.prefix(3)
            guard digits.utf8.count == 3, let code = Int(digits), (200...599).contains(code) else {
                throw .malformed
            }
            let mark = line.dropFirst(3).first ?? " "
            guard mark == " " || mark == "-" else { throw .malformed }
            lines.append(String(line.dropFirst(4)))
            guard mark == "-" else {
                guard rest.isEmpty else { throw .malformed }
                return (code, lines)
            }
        }
        throw .tooLarge
    }

    private mutating func line() throws(TransportFailure) -> String {
        var progress = ExchangeClock.now
        while true {
            if let feed = rest.firstIndex(of: 0x0A) {
                defer { rest.removeSubrange(...feed) }
                guard feed > 0, feed <= Self.longestLine, rest[feed - 1] == 0x0D else { throw .malformed }
                return String(decoding: rest[..<(feed - 1)], as: UTF8.self)
            }
            guard rest.count <= Self.longestLine else { throw .malformed }
            let until = try clock.moment(ofReadingSince: progress)
            guard let piece = try connection.receive(until: until) else { continue }
            guard !piece.isEmpty else { throw .closed }
            rest += piece
            progress = ExchangeClock.now
        }
    }
}
