import Testing

@testable import EscrowManifest

@Suite("Punycode is that of RFC 3492")
struct PunycodeTests {
    /// Section 7.1 (A) to (S), but for those whose capitals only mark how a word was written; code in lower case.
    static let samples: [(text: String, code: String)] = [
        ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
        ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
        ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"),
        ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
        ("यहलोगहिन्दीक्योंनहींबोलसकतेहैं", "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"),
        ("なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
        (
            "세계의모든사람들이한국어를이해한다면얼마나좋을까",
            "989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"
        ),
        ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
        ("安室奈美恵-with-super-monkeys", "-with-super-monkeys-pc58ag80a8qai00g7n9n"),
        ("hello-another-way-それぞれの場所", "hello-another-way--fc4qua05auwb3674vfr0b"),
        ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
        ("majiでkoiする5秒前", "majikoi5-783gue6qz075azm5e"),
        ("パフィーdeルンバ", "de-jg4avhby1noc0d"),
        ("そのスピードで", "d9juau41awczczp"),
        ("-> $1.00 <-", "-> $1.00 <--"),
    ]

    @Test("What is encoded is decoded", arguments: samples) func encodes(text: String, code: String) {
        let letters = Array(text.unicodeScalars)
        #expect(Punycode.decode(Array(code.utf8)) == letters)
        #expect(Punycode.encode(letters) == Array(code.utf8))
    }

    @Test(
        "What is no code, or goes beyond Unicode, is nil and no crash",
        arguments: [
            "999999999", "99999999999999999999999999", "A", "mnchen-3yA", "ab_", "\u{E9}", "\u{E9}-a",
            "a-9999999", String(repeating: "9", count: 59), String(repeating: "z", count: 59), "0-\u{80}",
            // Its last digit, which ends the number, makes it larger than any that can be held.
            "bb000000000000000z",
        ])
    func broken(code: String) { #expect(Punycode.decode(Array(code.utf8)) == nil) }

    @Test("Any label is decoded to what is encoded to it again, or to nothing") func roundTrip() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
        for _ in 0..<5_000 {
            let code = (0..<Int.random(in: 0...59, using: &generator)).map { _ in alphabet.randomElement()! }
            guard let letters = Punycode.decode(code) else { continue }
            #expect(Punycode.decode(Punycode.encode(letters)) == letters)
        }
    }
}
