import Foundation
import Testing

/// The paper's contacts dataflow at its sizes, with a count of its own beside the plugin's.
@Suite struct PhoneCheckTests {
    /// Contacts whose numbers are valid or not by construction, and how many are; each has the same number of them.
    static func contacts(_ count: Int, numbersEach: Int = 1) -> (text: String, valid: Int, invalid: Int) {
        var text = ""
        var valid = 0
        for index in 0..<count {
            // Every third number has an exchange that begins with 1, which the numbering plan does not allow.
            let isValid = index % 3 != 0
            valid += isValid ? 1 : 0
            let exchange = isValid ? 200 + index % 7 * 100 + 55 : 155
            let line = String(index % 10_000)
            let number =
                "TEL:+1 (212) \(exchange)-\(String(repeating: "0", count: 4 - line.count))\(line)\r\n"
            text +=
                "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:c\(index)\r\nFN:Person \(index)\r\n"
                + String(repeating: number, count: numbersEach) + "END:VCARD\r\n"
        }
        return (text, valid * numbersEach, (count - valid) * numbersEach)
    }

    /// Runs phone-check over `count` contacts; its result and the host's largest resident set in KiB.
    func check(_ count: Int, numbersEach: Int = 1) throws -> (
        result: [String: Any], peakKiB: Int, expected: (valid: Int, invalid: Int)
    ) {
        let escrow = try Escrow()
        let made = Self.contacts(count, numbersEach: numbersEach)
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

    @Test(arguments: [10_000, 100_000])
    func countsAreRightInBoundedMemory(count: Int) throws {
        let found = try check(count)
        #expect(found.result["numbers"] as? Int == count)
        #expect(found.result["valid"] as? Int == found.expected.valid)
        #expect(found.result["invalid"] as? Int == found.expected.invalid)
        #expect((found.result["validContacts"] as? [String])?.count == found.expected.valid)
        #expect(found.peakKiB < 100 * 1_024, "the host used \(found.peakKiB) KiB for \(count) contacts")
    }

    @Test func memoryDoesNotGrowWithTheRows() throws {
        // The same hundred contacts, so that the result, which lists them, has the same size.
        let few = try check(100, numbersEach: 10)
        let many = try check(100, numbersEach: 1_000)
        #expect(few.result["numbers"] as? Int == 1_000)
        #expect(many.result["numbers"] as? Int == 100_000)
        #expect(many.result["valid"] as? Int == many.expected.valid)
        #expect(
            many.peakKiB - few.peakKiB < 8 * 1_024,
            "\(few.peakKiB) KiB for 1,000 rows, \(many.peakKiB) KiB for 100,000")
    }

    @Test func theAnswerHoldsNoNumber() throws {
        let outcome = try check(100).result
        let text = try String(decoding: JSONSerialization.data(withJSONObject: outcome), as: UTF8.self)
        #expect(!text.contains("212"))
    }
}
