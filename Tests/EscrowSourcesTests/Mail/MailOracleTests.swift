import EscrowTabular
import Glibc
import Testing

@testable import EscrowPeople

/// Mail is read as Python's `email` and `mailbox` read it, wherever they find no fault with it.
@Suite("Mail beside Python's modules")
struct MailOracleTests {
    static let script = Repository.root + "/Tests/Vectors/mail/oracle.py"

    /// What is known of one mail; values are text, `-` for none and `?` where Python finds fault.
    struct Mail: Equatable {
        var key: String
        var values: [String]
        var recipients: [[String]] = []
    }

    @Test("random mail, folded, commented, encoded and grouped, and the same damaged", arguments: Self.seeds)
    func random(_ seed: Int) throws {
        let folder = try Folder()
        let count = getenv("ESCROW_MAILS").flatMap { Int(String(cString: $0)) } ?? 100
        guard Python.run("'\(Self.script)' make \(seed) \(count) '\(folder.path)'", needs: "mailbox") != nil,
            let text = Python.run("'\(Self.script)' read '\(folder.path)'", needs: "mailbox")
        else { return }
        let expected = Self.parse(text)
        #expect(expected.count == 3 * count)
        var found: [Mail] = []
        for name in ["box.mbox", "Maildir", "Bad"] { found += try Self.read(folder.path + "/" + name) }
        #expect(found.count == 3 * count)
        guard found.count == expected.count else { return }
        var compared = 0
        var differences: [String] = []
        func compare(_ key: String, _ value: [String], _ wanted: [String]) {
            compared += 1
            if value != wanted { differences.append("\(key): \(value) and not \(wanted)") }
        }
        for (mail, wanted) in zip(found, expected) {
            // An undamaged mail is compared as a whole: Python finds no fault with it.
            if !wanted.key.hasPrefix("Bad ") { #expect(!wanted.values.contains("?")) }
            for (index, want) in wanted.values.enumerated() where Self.isComparable(want) {
                // A mail without an id gets a name of ours.
                if index > 0 || want != "-" { compare(wanted.key, [mail.values[index]], [want]) }
            }
            guard wanted.recipients.allSatisfy({ $0.allSatisfy(Self.isComparable) }) else { continue }
            compare(
                wanted.key, mail.recipients.map { $0.joined(separator: "|") },
                wanted.recipients.map { $0.joined(separator: "|") })
        }
        let sound = differences.filter { !$0.hasPrefix("Bad ") }
        let shown = sound.prefix(5).joined(separator: "\n")
        #expect(sound.isEmpty, "seed \(seed), \(sound.count): \(shown)")
        // Each forgives in its own way: a comma in the name of a charset, a control character, a zone without a space.
        #expect(differences.count * 50 < compared, "\(differences.count) of \(compared)")
        #expect(compared > 20 * count)
    }

    private static let seeds: [Int] = {
        let first = getenv("ESCROW_SEED").flatMap { Int(String(cString: $0)) } ?? 1
        return [first, first + 1]
    }()

    /// Python says `?` where it finds fault, and U+FFFD for what is not UTF-8, which we read as Windows-1252. It finds none with
    /// pieces of encoded words and with lone brackets.
    private static func isComparable(_ value: String) -> Bool {
        value != "?" && !["\u{FFFD}", "=?", "?=", "<", ">"].contains { value.contains($0) }
    }

    static func parse(_ text: String) -> [Mail] {
        var mails: [Mail] = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if parts[0] == "mail" {
                mails.append(Mail(key: parts[1], values: Array(parts[2...])))
                mails[mails.count - 1].values[3] = unspaced(parts[5])
            } else {
                mails[mails.count - 1].recipients.append([parts[2], unspaced(parts[3]), parts[4]])
            }
        }
        return mails
    }

    static func read(_ path: String) throws -> [Mail] {
        let rows = try Table("Messages", .mail, path).rows(
            "id", "timestamp", "subject", "fromName", "fromAddress", "size", "isSeen", "isFlagged",
            "isAnswered")
        let marks = path.hasSuffix("mbox") ? ["R", "F", "A"] : ["S", "F", "R"]
        var mails = rows.map { row -> Mail in
            let flags = zip(marks, row[6...]).map { $1 == 1 ? $0 : "" }.joined()
            var values = row[..<5].map(spelled)
            if case .text(let time) = row[1], let moment = Timestamp(iso8601: time) {
                values[1] = String(moment.microseconds / 1_000_000)
            }
            values[3] = unspaced(values[3])
            guard case .integer(let size) = row[5] else { return Mail(key: "", values: []) }
            return Mail(key: "", values: values + [String(size), flags.isEmpty ? "-" : flags])
        }
        var places: [String: Int] = [:]
        for (index, mail) in mails.enumerated() { places[mail.values[0]] = index }
        for row in try Table("MessageRecipients", .mail, path).rows("messageID", "kind", "name", "address") {
            guard let index = places[spelled(row[0])] else { continue }
            mails[index].recipients.append([spelled(row[1]), unspaced(spelled(row[2])), spelled(row[3])])
        }
        return mails
    }

    /// Before 3.13 Python left the space between two encoded words of a name, which is no part of it (RFC 2047, 6.2).
    private static func unspaced(_ name: String) -> String { String(name.filter { $0 != " " }) }

    private static func spelled(_ cell: Cell) -> String {
        guard case .text(let text) = cell else { return "-" }
        // As Python splits text.
        let isSpace = { (scalar: Unicode.Scalar) in
            scalar.properties.isWhitespace || (0x1C...0x1F).contains(scalar.value)
        }
        return text.unicodeScalars.split(whereSeparator: isSpace).map { String($0) }.joined(separator: " ")
    }
}
