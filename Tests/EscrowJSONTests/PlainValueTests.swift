import EscrowJSON
import Testing

/// What is told to be plain is written and not read again: so it must read the same.
@Suite struct PlainValueTests {
    private static let limits = JSONParser.Limits(depth: 4, values: 40)
    private static let texts = [
        "", "a", "b", "\u{0}", "a\u{0}", "\"\\\n\u{7F}", "\u{E9}", "e\u{301}", "\u{1F600}", "\u{FEFF}",
        "\u{2028}",
    ]
    private static let numbers = [
        0, -0.0, 1, 1.5, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -1e21, .infinity, -.infinity,
        .nan,
    ]

    private func value(_ depth: Int, _ dice: inout SystemRandomNumberGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &dice) {
        case 0: .null
        case 1: .bool(.random(using: &dice))
        case 2: .integer([.min, -1, 0, 1 << 53, .max].randomElement(using: &dice)!)
        case 3: .real(Self.numbers.randomElement(using: &dice)!)
        case 4, 5: .string(Self.texts.randomElement(using: &dice)!)
        case 6: .array((0..<Int.random(in: 0...4, using: &dice)).map { _ in value(depth - 1, &dice) })
        default:
            .object(
                (0..<Int.random(in: 0...4, using: &dice)).map { _ in
                    (name: Self.texts.randomElement(using: &dice)!, value: value(depth - 1, &dice))
                })
        }
    }

    @Test func whatIsPlainReadsTheSame() throws {
        var dice = SystemRandomNumberGenerator()
        var plain = 0
        var refused = 0
        for _ in 0..<20_000 {
            let value = value(6, &dice)
            let read = try? JSONParser.parse(JSONWriter.line(value), limits: Self.limits).value
            if value.isPlain(within: Self.limits) {
                plain += 1
                #expect(read == value, "\(value)")
            } else if read == nil {
                refused += 1
            }
        }
        #expect(plain > 1_000 && refused > 1_000, "\(plain) and \(refused): the values try nothing")
    }

    @Test(arguments: [
        JSONValue.string("a\u{0}b"), ["a": "\u{0}"], .real(.nan), .array([.real(.infinity)]),
        .object([("a", 1), ("b", 2), ("a", 3)]), .object([("\u{0}", 1)]), [[[[[1]]]]],
        .array(Array(repeating: 1, count: 40)), .object((0...64).map { (name: "n\($0)", value: 1) }),
    ])
    func whatIsNotReadIsNotPlain(value: JSONValue) { #expect(!value.isPlain(within: Self.limits)) }

    @Test(arguments: [
        JSONValue.object([("\u{E9}", 1), ("e\u{301}", 2)]), [[[[1]]]], .array(Array(repeating: 1, count: 39)),
        .real(-0.0), .string("\u{1F600}\n"),
    ])
    func theUsualIsPlain(value: JSONValue) { #expect(value.isPlain(within: Self.limits)) }
}
