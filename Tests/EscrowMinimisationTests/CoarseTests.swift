import EscrowMinimisation
import Testing

@Suite("What becomes of one value") struct CoarseTests {
    @Test(
        "Numbers are rounded half away from zero",
        arguments: [
            (48.1372, 1, 48.1), (48.15, 1, 48.2), (-48.15, 1, -48.2), (0.5, 0, 1), (-0.5, 0, -1),
            (-0.4, 0, 0),
            (1234.5, -2, 1200), (1250, -2, 1300), (5e15, 3, 5e15), (1e300, 2, 1e300), (-1e300, -12, -1e300),
            (1e-300, 12, 0),
        ])
    func rounds(_ value: (Double, Int, Double)) {
        let rounded = Coarse.round(value.0, decimals: value.1)
        #expect(rounded == value.2)
        #expect(Coarse.round(rounded, decimals: value.1) == rounded)
        #expect(rounded.bitPattern != (-0.0).bitPattern)
    }

    @Test("Infinity stays what it is")
    func infinity() { #expect(Coarse.round(.infinity, decimals: 1) == .infinity) }

    @Test(
        "Whole numbers are rounded without leaving their range",
        arguments: [
            (Int64(22_341), -3, Int64(22_000)), (22_500, -3, 23_000), (-22_500, -3, -23_000), (499, -3, 0),
            (7, 0, 7), (7, 2, 7),
            (.max, -1, .max - 7), (.min, -1, .min + 8), (.max, -12, 9_223_372_000_000_000_000),
        ])
    func roundsIntegers(_ value: (Int64, Int, Int64)) {
        #expect(Coarse.round(value.0, decimals: value.1) == value.2)
    }

    private func deresolve(_ text: String, _ resolution: ColumnTransform.Resolution) -> String? {
        Array(text.utf8).withUnsafeBytes { Coarse.deresolve($0, to: resolution) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("A moment becomes the first of its minute, hour, day, month, year")
    func moments() {
        let moment = "2026-11-21T09:48:17.123Z"
        #expect(deresolve(moment, .minute) == "2026-11-21T09:48:00.000Z")
        #expect(deresolve(moment, .hour) == "2026-11-21T09:00:00.000Z")
        #expect(deresolve(moment, .day) == "2026-11-21T00:00:00.000Z")
        #expect(deresolve(moment, .month) == "2026-11-01T00:00:00.000Z")
        #expect(deresolve(moment, .year) == "2026-01-01T00:00:00.000Z")
    }

    @Test("A date loses what is finer, and one without the part becomes null")
    func dates() {
        #expect(deresolve("1996-04-15", .year) == "1996")
        #expect(deresolve("1996-04-15", .month) == "1996-04")
        #expect(deresolve("1996-04-15", .hour) == "1996-04-15")
        #expect(deresolve("1996-04", .year) == "1996")
        #expect(deresolve("1996", .month) == "1996")
        for text in [
            "--04-15", "", "soon", "1996-4-15", "1996-04-15x", "1996-04-15-01", "9999999999",
            "2026-13-41T99:99:99.999Z",
        ] {
            #expect(deresolve(text, .year) == nil)
        }
    }

    @Test("A text keeps its first characters, whole")
    func truncates() {
        func truncate(_ text: String, _ length: Int) -> String {
            Array(text.utf8).withUnsafeBytes {
                String(decoding: Coarse.truncate($0, to: length), as: UTF8.self)
            }
        }
        #expect(truncate("Ärzte", 1) == "Ä")
        #expect(truncate("Ärzte", 5) == "Ärzte")
        #expect(truncate("Ärzte", 99) == "Ärzte")
        #expect(truncate("", 1) == "")
        #expect(truncate("🦊x", 1) == "🦊")
    }

    @Test("A larger sample holds all of a smaller one, and is about as large as it says")
    func samples() {
        let hash = KeyedHash(testDigest)
        var counts = [0, 0, 0]
        for number in 0..<20_000 {
            let key = Array(String(number).utf8)
            let isIn = [10_000, 100_000, 999_999].map { hash.isSampled(.record, key, perMillion: $0) }
            #expect(!isIn[0] || isIn[1])
            #expect(!isIn[1] || isIn[2])
            for index in 0..<3 where isIn[index] { counts[index] += 1 }
        }
        #expect((140...260).contains(counts[0]))
        #expect((1_850...2_150).contains(counts[1]))
        #expect(counts[2] >= 19_990)
    }
}

/// A mixer that stands for HMAC here (FNV-1a, then SplitMix64's finalizer).
@Sendable func testDigest(_ bytes: UnsafeRawBufferPointer) -> KeyedHash.Value {
    var state = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
    return KeyedHash.Value(high: next(), low: next())
}
