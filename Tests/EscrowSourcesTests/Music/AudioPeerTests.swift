import EscrowTabular
import Foundation
import Testing

@testable import EscrowMedia

@Suite("Audio beside mutagen")
struct AudioPeerTests {
    /// What mutagen says of a file, by the names of our columns.
    private struct Told: Decodable {
        let file: String
        let duration: Double?
        let tags: [String: [String]]
    }

    @Test("tags and lengths are those that mutagen reads")
    func tags() throws {
        let samples = Repository.samples + "/music"
        // What the test's data of mutagen holds is of all formats, and much of it is damaged on purpose.
        let others = Repository.root + "/.build/python/mutagen/tests/data"
        if access(others, R_OK) != 0 {
            print("SKIP: the files of mutagen's own tests are not there; samples alone")
        }
        for folder in [samples, others] where access(folder, R_OK) == 0 {
            guard let told = try Self.told(by: folder) else {
                print("SKIP: mutagen is not installed")
                return
            }
            let table = Table("Tracks", .music, folder)
            var rows: [String: [Cell]] = [:]
            for row in try table.rows(
                "path", "duration", "title", "artist", "album", "albumartist", "composer", "genre",
                "trackNumber")
            {
                guard case .text(let path) = row[0] else { continue }
                rows[path] = row
            }
            #expect(told.count > 5)
            for peer in told {
                guard let row = rows[peer.file] else {
                    Issue.record("\(peer.file) is missing")
                    continue
                }
                if let expected = peer.duration, expected > 0.2 {
                    var length = -1.0
                    if case .real(let value) = row[1] { length = value }
                    #expect(abs(length - expected) < 0.2, "\(peer.file): length")
                }
                for (index, name) in ["title", "artist", "album", "albumartist", "composer", "genre"]
                    .enumerated()
                {
                    // mutagen reads no INFO chunk, and no composer of MP4 under that name.
                    if peer.tags[name] == nil, peer.file.hasSuffix(".wav") || name == "composer" { continue }
                    let expected = Self.joined(
                        peer.tags[name] ?? [], isSingle: name == "title" || name == "album")
                    #expect(row[2 + index] == (expected.map { .text($0) } ?? .null), "\(peer.file): \(name)")
                }
                if let number = peer.tags["tracknumber"]?.first.flatMap({ Int64($0.prefix { $0.isNumber }) }),
                    number > 0
                {
                    #expect(row[8] == .integer(number), "\(peer.file): track")
                }
            }
        }
    }

    private static func joined(_ values: [String], isSingle: Bool) -> String? {
        let values = values.flatMap {
            $0.split(separator: "\0").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        .filter { !$0.isEmpty }
        return values.isEmpty ? nil : isSingle ? values[0] : values.joined(separator: "; ")
    }

    /// Nil if mutagen is missing. Files that it refuses are left out.
    private static func told(by folder: String) throws -> [Told]? {
        let script = """
            import json, os, sys
            try: import mutagen
            except ImportError: sys.exit(127)
            folder = sys.argv[1]
            for place, _, names in os.walk(folder):
                for name in names:
                    path = os.path.join(place, name)
                    if not name.lower().endswith((".mp3", ".flac", ".ogg", ".opus", ".m4a", ".m4b", ".wav", ".aif", ".aiff", ".spx", ".wma")):
                        continue
                    try: read = mutagen.File(path, easy=True)
                    except Exception: continue
                    if read is None: continue
                    tags = {}
                    keys = {"TIT2": "title", "TPE1": "artist", "TALB": "album", "TPE2": "albumartist", "TCOM": "composer",
                            "TCON": "genre", "TRCK": "tracknumber", "Title": "title", "Author": "artist", "WM/AlbumTitle": "album",
                            "WM/AlbumArtist": "albumartist", "WM/Composer": "composer", "WM/Genre": "genre",
                            "WM/TrackNumber": "tracknumber"}
                    for key, value in (read.tags or {}).items():
                        known = keys.get(key, key.lower())
                        if known == "genre" and hasattr(value, "genres"): value = value.genres
                        elif hasattr(value, "text"): value = value.text
                        if isinstance(value, (list, tuple)): tags[known] = [str(one) for one in value]
                    print(json.dumps({"file": os.path.relpath(path, folder), "tags": tags,
                                      "duration": getattr(read.info, "length", None)}))
            """
        guard let text = run("python3 -c '\(script)' '\(folder)'") else { return nil }
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(Told.self, from: Data($0.utf8))
        }
    }
}
