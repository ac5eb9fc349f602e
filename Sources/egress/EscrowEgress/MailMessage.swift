import EscrowJSON

/// In whose name mail is handed in.
public struct MailLogin: Sendable, Equatable {
    /// The user's name.
    public let user: String
    /// The password.
    public let password: String

    /// Takes both.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// Out of what is kept for a server, spelled for HTTP: RFC 7617. Nil for a token.
    init?(_ header: OutgoingRequest.Header) {
        guard header.value.hasPrefix("Basic "), let bytes = Base64.decode(String(header.value.dropFirst(6))),
            let colon = bytes.firstIndex(of: 0x3A)
        else { return nil }
        user = String(decoding: bytes[..<colon], as: UTF8.self)
        password = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    }

    /// Their address: the user's name where it is one, else at that host.
    public func sender(at host: String) -> String {
        user.contains("@") ? user : "\(user)@\(host.prefix { $0 != ":" })"
    }
}

/// A text as mail: RFC 5322, RFC 2045, RFC 2047. The server that it is handed in at adds date and number (RFC 6409 section 8).
enum MailMessage {
    /// Whether a text is one plain address that can stand in a command of SMTP: RFC 5321 section 4.1.2, without quoting and
    /// without letters beyond ASCII.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, (1...64).contains(parts[0].utf8.count) else {
            return false
        }
        return parts.allSatisfy { part in
            !part.isEmpty && part.first != "." && part.last != "." && !part.contains("..")
                && part.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                        || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)
                }
        }
    }

    static func headers(to: String, subject: String) -> [OutgoingRequest.Header] {
        [
            .init(name: "to", value: to), .init(name: "subject", value: encoded(subject)),
            .init(name: "mime-version", value: "1.0"),
            .init(name: "content-type", value: "text/plain; charset=utf-8"),
            .init(name: "content-transfer-encoding", value: "base64"),
        ]
    }

    /// Lines of 76, so that no line of the text can end the mail.
    static func body(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        var rest = Array(Base64.encode(Array(text.utf8)).utf8)[...]
        while !rest.isEmpty {
            output += rest.prefix(76) + [0x0D, 0x0A]
            rest = rest.dropFirst(76)
        }
        return output
    }

    /// Encoded words of at most 75 letters, each of whole letters: RFC 2047 section 2.
    private static func encoded(_ text: String) -> String {
        var words: [String] = []
        var word: [UInt8] = []
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if word.count + bytes.count > 45 {
                words.append("=?utf-8?B?\(Base64.encode(word))?=")
                word = []
            }
            word += bytes
        }
        if !word.isEmpty { words.append("=?utf-8?B?\(Base64.encode(word))?=") }
        return words.joined(separator: "\r\n ")
    }
}
