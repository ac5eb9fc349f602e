import EscrowMinimisation
import Testing

/// What a picture says of itself is left out, and what cannot be understood is not handed out at all.
@Suite struct PictureStripTests {
    private static let secret = Array("52.5200 13.4050 Acme X100 2026:03:01".utf8)

    private static func strip(_ bytes: [UInt8], _ type: String) -> [UInt8]? {
        PictureStrip.kept(of: type, size: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }?
            .flatMap { bytes[$0] }
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    private static let plain: (jpeg: [UInt8], png: [UInt8]) = (
        [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
            + segment(0xDB, [UInt8](repeating: 7, count: 65)) + segment(0xC2, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
            + segment(0xC4, [0, 1, 2]) + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [
                1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4,
            ]
            + segment(0xC4, [1, 1, 2]) + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [5, 6, 0xFF, 0] + [0xFF, 0xD9],
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", [UInt8](repeating: 1, count: 13))
            + chunk("gAMA", [0, 0, 1, 1]) + chunk("IDAT", [1, 2, 3]) + chunk("IDAT", [4]) + chunk("IEND", [])
    )

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + Array(name.utf8) + content + [
            9, 9, 9, 9,
        ]
    }

    @Test func aPlainPictureStaysAsItIs() {
        #expect(Self.strip(Self.plain.jpeg, "image/jpeg") == Self.plain.jpeg)
        #expect(Self.strip(Self.plain.png, "image/png") == Self.plain.png)
    }

    @Test func allThatAJPEGSaysOfItselfIsLeftOut() {
        let plain = Self.plain.jpeg
        let words: [UInt8] =
            Self.segment(0xE1, Array("Exif\0\0".utf8) + Self.secret)
            + Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Self.secret)
            + Self.segment(0xE2, Array("MPF\0".utf8) + Self.secret) + Self.segment(0xFE, Self.secret)
            + Self.segment(0xED, Array("Photoshop 3.0\0".utf8) + Self.secret)
            + Self.segment(0xE0, Array("JFXX\0".utf8) + Self.secret) + Self.segment(0xEF, Self.secret)
        // Behind the first header, with fill bytes, before the second scan, and behind the end.
        let scan = plain.count - 2 - 4 - 10 - 7
        let told =
            plain[..<20] + words + [0xFF, 0xFF] + plain[20..<scan] + words + plain[scan...] + Self.secret
        #expect(Self.strip(Array(told), "image/jpeg") == plain)
    }

    @Test func allThatAPNGSaysOfItselfIsLeftOut() {
        let plain = Self.plain.png
        let words = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "iCCP", "prVt", "acTL", "fdAT"]
            .flatMap { Self.chunk($0, Self.secret) }
        let told = plain[..<33] + words + plain[33..<64] + words + plain[64...] + Self.secret
        #expect(Self.strip(Array(told), "image/png") == plain)
    }

    @Test func whatIsNotPlainIsRefused() {
        for count in Self.plain.jpeg.indices {
            #expect(Self.strip(Array(Self.plain.jpeg[..<count]), "image/jpeg") == nil)
        }
        for count in Self.plain.png.indices {
            #expect(Self.strip(Array(Self.plain.png[..<count]), "image/png") == nil)
        }
        #expect(Self.strip(Self.plain.png, "image/jpeg") == nil)
        #expect(Self.strip(Self.plain.jpeg, "image/heic") == nil)
        // A part that a decoder must know.
        let odd = Self.plain.png[..<33] + Self.chunk("QQQQ", Self.secret) + Self.plain.png[33...]
        #expect(Self.strip(Array(odd), "image/png") == nil)
        let other = Self.plain.jpeg[..<2] + Self.segment(0xF0, Self.secret) + Self.plain.jpeg[2...]
        #expect(Self.strip(Array(other), "image/jpeg") == nil)
    }

    /// Nothing traps, and what remains has nothing more to leave out.
    @Test(arguments: ["image/jpeg", "image/png"])
    func brokenPicturesDoNoHarm(type: String) {
        var state: UInt64 = 7
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        let plain = type == "image/png" ? Self.plain.png : Self.plain.jpeg
        for _ in 0..<3000 {
            var bytes = plain
            for _ in 0...random(3) { bytes[random(bytes.count)] = UInt8(random(256)) }
            if random(3) == 0 {
                bytes.insert(contentsOf: bytes[random(bytes.count)...], at: random(bytes.count))
            }
            guard let once = Self.strip(bytes, type) else { continue }
            #expect(Self.strip(once, type) == once)
        }
    }

    @Test func itIsATermOfItsOwn() throws {
        let strip = try Minimisation(parsing: ["strip(Photos.asset)"])
        #expect(strip.terms == ["strip(Photos.asset)"] && strip.stripsFiles)
        #expect(strip.isAtLeastAsCoarse(as: .none) && !Minimisation.none.isAtLeastAsCoarse(as: strip))
        #expect(
            strip.words == [
                "Photos: asset pictures alone, without the place, the time and the camera that they tell"
            ])
        #expect(try !Minimisation(parsing: ["drop(Photos.asset)"]).stripsFiles)
    }
}
