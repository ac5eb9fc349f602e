import Foundation
import Testing

/// The paper's contacts dataflow at its sizes, with a count of its own beside the plugin's.
@Suite struct PhoneCheckTests {
    /// Contacts whose numbers are valid or not by construction, and how many are.
    static func contacts(_ count: Int) -> (text: String, valid: Int, invalid: Int) {
        var text = ""
        var valid = 0
        for index in 0..<count {
            // Every third number has an exchange that begins with 1, which the numbering plan does not allow.
            let isValid = index % 3 != 0
            valid += isValid ? 1 : 0
            let exchange = isValid ? 200 + index % 7 * 100 + 55 : 155
            let line = String(index % 10_000)
            let number = "+1 (212) \(exchange)-\(String(repeating: "0", count: 4 - line.count))\(line)"
            text +=
                "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:c\(index)\r\nFN:Person \(index)\r\nTEL:\(number)\r\nEND:VCARD\r\n"
        }
        return (text, valid, count - valid)
    }

    /// Runs phone-check over `count` contacts; its result and the host's largest resident set in KiB.
    func check(_ count: Int) throws -> (
        result: [String: Any], peakKiB: Int, expected: (valid: Int, invalid: Int)
    ) {
        let escrow = try Escrow()
        let made = Self.contacts(count)
        #expect(
            try escrow.run("source", "add", "contacts", try escrow.write("contacts.vcf", made.text)).status
                == 0)
        try escrow.allow("phone-check")
        let outcome = try escrow.run(
            "run", "phone-check", "--app", "org.example.test", "--format", "json", "--timings")
        try #require(outcome.status == 0, "\(outcome.words)")
        let peak = try #require(outcome.words.firstMatch(of: /peak memory of the host (\d+) KiB/)?.1)
        return (try outcome.json(), try #require(Int(peak)), (made.valid, made.invalid))
    }

    @Test func countsAreRightAndMemoryDoesNotGrowWithTheRows() throws {
        let small = try check(10_000)
        #expect(small.result["numbers"] as? Int == 10_000)
        #expect(small.result["valid"] as? Int == small.expected.valid)
        #expect(small.result["invalid"] as? Int == small.expected.invalid)
        #expect((small.result["validContacts"] as? [String])?.count == small.expected.valid)
        #expect(small.peakKiB < 100 * 1_024, "the host used \(small.peakKiB) KiB for 10,000 contacts")

        let large = try check(100_000)
        #expect(large.result["valid"] as? Int == large.expected.valid)
        #expect(large.result["invalid"] as? Int == large.expected.invalid)
    }

    @Test func theAnswerHoldsNoNumber() throws {
        let outcome = try check(100).result
        let text = try String(decoding: JSONSerialization.data(withJSONObject: outcome), as: UTF8.self)
        #expect(!text.contains("212"))
    }
}
