import EscrowLocationPrivacy
import Foundation
import Testing

/// Averaging on the real tracks of gpxpy's own tests: somebody asks a thousand times from each of some points of each track.
@Suite struct RealTrackTests {
    /// The tracks' points; empty where the files are not there.
    static let tracks: [[Coordinates]] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: ".build/python/gpxpy/test_files")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0.hasSuffix(".gpx") }.compactMap { name in
            guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else {
                return nil
            }
            let points = text.components(separatedBy: "<trkpt").dropFirst().compactMap { part in
                let head = part.prefix { $0 != ">" }
                func value(_ name: String) -> Double? {
                    guard let start = head.range(of: name + "=")?.upperBound else { return nil }
                    return Double(head[head.index(after: start)...].prefix { $0 != "\"" && $0 != "'" })
                }
                guard let latitude = value("lat"), let longitude = value("lon") else {
                    return nil as Coordinates?
                }
                return Coordinates(latitude: latitude, longitude: longitude)
            }
            return points.count >= 100 ? points : nil
        }
    }()

    @Test(arguments: ["planar-laplace(0.01)", "donut(100, 500)", "random-perturbation(500)"])
    func aThousandAnswersTellNoMoreThanOne(_ spelling: String) throws {
        guard !Self.tracks.isEmpty else { return print("SKIP: the tracks of gpxpy are not here") }
        var generator = DisplacementTests.Seeded(state: 5)
        let mask = try MaskTests.mask(spelling)
        var (one, ours, fresh) = ([Double](), [Double](), [Double]())
        for track in Self.tracks {
            for place in stride(from: 0, to: track.count, by: max(track.count / 5, 1)).map({ track[$0] }) {
                let told = try (0..<1_000).map { _ in try mask.apply(to: place).coordinates }
                one.append(Ellipsoid.distance(place, told[0]))
                ours.append(Ellipsoid.distance(place, try #require(Attack.averaged(told))))
                let anew = (0..<1_000).map { _ in
                    let moved =
                        switch mask.mechanism {
                        case .donut: Displacement.ring(100, 500, using: &generator)
                        case .perturbation: Displacement.ring(0, 500, using: &generator)
                        default: Displacement.laplace(0.01, using: &generator)
                        }
                    return moved.from(place)
                }
                fresh.append(Ellipsoid.distance(place, try #require(Attack.averaged(anew))))
            }
        }
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        print(
            "\(spelling), \(one.count) points of \(Self.tracks.count) tracks: one answer "
                + "\(median(one)) m off, the middle of 1,000 of ours \(median(ours)) m, of fresh noise \(median(fresh)) m"
        )
        #expect(zip(one, ours).allSatisfy { abs($0 - $1) < 0.1 })
        // Of so many points one may lie 30 m off by chance.
        #expect(median(fresh) < 20 && fresh.allSatisfy { $0 < 60 })
        #expect(median(ours) > 5 * median(fresh))
    }
}
