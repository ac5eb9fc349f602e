import EscrowTabular
import Testing

@testable import EscrowMedia
@testable import EscrowMediaFormats
@testable import EscrowTableKit

@Suite("Facts of pictures as they are kept")
struct ImageFactsKeptTests {
    private var all: ImageFacts {
        ImageFacts(
            creationDate: Timestamp(microseconds: 1_700_000_000_123_456),
            changeDate: Timestamp(microseconds: 1_800_000_000_123_456), pixelWidth: 4_000,
            pixelHeight: 3_000,
            latitude: 60.39, longitude: 5.32, altitude: -1.5, cameraMake: "Example", cameraModel: "Camera é",
            orientation: 6, duration: 12.25, title: "Title",
            description: String(repeating: "d", count: 2_000),
            keywords: "a; b", rating: -1)
    }

    private func kept(_ facts: ImageFacts) -> ImageFacts? {
        var bytes: [UInt8] = []
        guard facts.append(to: &bytes) else { return nil }
        return bytes.withUnsafeBytes { ImageFacts($0) }
    }

    @Test("every fact comes back, and so do those alone and none at all")
    func roundTrip() {
        #expect(kept(all) == all)
        #expect(kept(ImageFacts()) == ImageFacts())
        for facts in [all, ImageFacts(), ImageFacts(changeDate: all.changeDate, pixelWidth: 7)] {
            var bytes: [UInt8] = []
            #expect(facts.append(to: &bytes))
            let dates = ImageFacts(creationDate: facts.creationDate, changeDate: facts.changeDate)
            #expect(bytes.withUnsafeBytes { ImageFacts.dates(in: $0) } == dates)
        }
        let alone: [WritableKeyPath<ImageFacts, String?>] = [
            \.cameraMake, \.cameraModel, \.title, \.description, \.keywords,
        ]
        for path in alone {
            var facts = ImageFacts()
            facts[keyPath: path] = "x"
            #expect(kept(facts) == facts)
        }
        for path in [\ImageFacts.pixelWidth, \.pixelHeight, \.orientation, \.rating] {
            var facts = ImageFacts()
            facts[keyPath: path] = -7
            #expect(kept(facts) == facts)
        }
        for path in [\ImageFacts.latitude, \.longitude, \.altitude, \.duration] {
            var facts = ImageFacts()
            facts[keyPath: path] = 0.5
            #expect(kept(facts) == facts)
        }
    }

    @Test("what is too large is not kept, and nothing else is read as facts")
    func refusals() {
        var large = all
        large.title = String(repeating: "t", count: ImageFacts.nameLimit + 1)
        var bytes: [UInt8] = [1, 2, 3]
        #expect(!large.append(to: &bytes) && bytes == [1, 2, 3])
        var good: [UInt8] = []
        #expect(all.append(to: &good))
        for count in 0..<good.count {
            #expect(good[..<count].withUnsafeBytes { ImageFacts($0) } == nil)
        }
        #expect((good + [0]).withUnsafeBytes { ImageFacts($0) } == nil)
        let name = [UInt8](repeating: 0x74, count: ImageFacts.nameLimit + 1)
        var long: [UInt8] = []
        long.keep(1 << 12)
        let isKept = long.keep(name)
        #expect(isKept && long.withUnsafeBytes { ImageFacts($0) } == nil)
        good[7] = 0xFF
        #expect(good.withUnsafeBytes { ImageFacts($0) } == nil)
    }
}
