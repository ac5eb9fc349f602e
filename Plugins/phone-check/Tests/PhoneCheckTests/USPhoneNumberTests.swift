import EscrowPluginTesting
import PhoneNumbers
import Testing

@testable import phone_check

@Suite struct USPhoneNumberTests {
    private func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { USPhoneNumber.isValid(UnsafeRawBufferPointer($0)) }
    }

    @Test(arguments: [
        "2025550123", "202-555-0123", "(202) 555-0123", "(202)555-0123", "202.555.0123", "202 555 0123",
        "1 202 555 0123", "1-202-555-0123", "+1 202 555 0123", "+1 (202) 555-0123", "+12025550123",
        "0012025550123", "tel:+1-202-555-0123", "202\u{2011}555\u{2011}0123", "202\u{A0}555\u{A0}0123",
        "202-555-0123 x7", "202-555-0123 ext. 1234", "tel:+1-202-555-0123;ext=7", "202-555-0123#12",
    ])
    func acceptsWhatPeopleWrite(text: String) { #expect(isValid(text)) }

    @Test(arguments: [
        "", "5550123", "555-0123", "123-555-0123", "022-555-0123", "202-055-0123", "202-155-0123",
        "411-555-0123",
        "202-911-0123", "291-555-0123", "202-555-012", "202-555-01234", "+2 202 555 0123", "+49 30 901820",
        "+44 20 7946 0958", "2 202 555 0123", "(202 555-0123", "202) 555-0123", "202-555-0123 x",
        "202-555-0123 xyz",
        "202-555-O123", "++1 202 555 0123", "1+202 555 0123", "202-555-0123 or 202-555-0124",
        "x2025550123", "00 49 30 901820", "2025550123;ext=12345678", "٢٠٢٥٥٥٠١٢٣",
    ])
    func refusesWhatIsNoUSNumber(text: String) { #expect(!isValid(text)) }

    @Test func neverReadsPastTheEndOfCutOffText() {
        for bytes: [UInt8] in [[0xC2], [0xE2, 0x80], [0xE2], [0x3B], [0x78], [0x65, 0x78]] {
            #expect(bytes.withUnsafeBytes { !USPhoneNumber.isValid($0) })
        }
    }

    @Test func countsNumbersAndListsContactsOnce() throws {
        let host = try MockHost(
            columns: [.init("contact", type: .text), .init("phoneNumber", type: .text)],
            rows: [
                [.text("b"), .text("+1 202 555 0123")], [.text("a"), .text("12")], [.text("b"), .text("x")],
                [.text("c"), .null],
            ], rowsPerAsk: 2)
        let outcome = try host.run(PhoneCheck())
        #expect(outcome.record?["contacts"] == 3)
        #expect(outcome.record?["numbers"] == 3)
        #expect(outcome.record?["valid"] == 1)
        #expect(outcome.record?["invalid"] == 2)
        #expect(outcome.record?["validContacts"] == ["b"])
        #expect(outcome.record?["invalidContacts"] == ["a", "c"])
    }
}
