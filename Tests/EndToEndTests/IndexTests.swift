import Foundation
import Testing

/// What the home keeps of pictures' headers: a first reading that is killed goes on where it was.
@Suite(.timeLimit(.minutes(60))) struct IndexTests {
    private static let count = 3_000
    private static let query = "SELECT filename, creationDate, cameraModel, latitude, pixelWidth FROM Photos"

    /// Pictures that all say the same, changed long ago.
    private func pictures(_ escrow: Escrow) async throws {
        let photos = escrow.folder.appending(path: "photos")
        let sample = try Data(
            contentsOf: Escrow.root.appending(path: "samples/photos/Bergen 2026/IMG_0101.jpg"))
        let long = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)]
        for number in 0..<Self.count {
            let folder = photos.appending(path: "\(number % 7)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "\(number).jpg")
            try sample.write(to: file)
            try FileManager.default.setAttributes(long, ofItemAtPath: file.path)
        }
        #expect(try escrow.run("source", "add", "photos", photos.path).status == 0)
        // A listing begins at a whole second, and keeps nothing of what was touched two seconds
        // before. No program can set the time of a touch back, so three seconds must pass.
        try await Task.sleep(for: .seconds(3.1))
    }

    private func size(_ index: URL) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: index.path)
        return (attributes?[.size] as? Int) ?? 0
    }

    private func read(_ escrow: Escrow) throws -> Int {
        let outcome = try escrow.run("source", "index", "--format", "json")
        #expect(outcome.status == 0 && !outcome.words.contains("reading"))
        return try #require(try outcome.json()["read"] as? Int)
    }

    @Test func whatWasReadBeforeAKillIsNotReadAgainAndAnswersAreRight() async throws {
        let escrow = try Escrow(trusting: false)
        try await pictures(escrow)
        let index = escrow.home.appending(path: "index/headers.cache")
        let answer = try escrow.run("access", Self.query, "--format", "json")
        #expect(answer.status == 0)
        let whole = size(index)
        let header = try #require(Data(contentsOf: index).firstIndex(of: 10)) + 1
        // All records are of one length: they say the same.
        let record = (whole - header) / Self.count
        try #require(record > 40 && (whole - header) % Self.count == 0)
        #expect(try read(escrow) == 0)

        var interrupted = 0
        for attempt in 0..<6 {
            try? FileManager.default.removeItem(at: index)
            var kept = 0
            for _ in 0..<Int.random(in: 1...3) {
                let wanted = Int.random(in: 1..<whole)
                let process = Process()
                process.executableURL = Escrow.program
                process.arguments = ["source", "index"]
                process.environment = ProcessInfo.processInfo.environment.merging([
                    "ESCROW_HOME": escrow.home.path
                ]) { $1 }
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                // Some moment of the reading, known by what it has written so far.
                while process.isRunning, size(index) < wanted { sched_yield() }
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                if process.terminationReason == .uncaughtSignal { interrupted += 1 }
                let now = max(0, size(index) - header) / record
                #expect(now >= kept, "attempt \(attempt) lost what was kept")
                kept = now
            }
            #expect(try read(escrow) == Self.count - kept)
            #expect(try read(escrow) == 0)
            let again = try escrow.run("access", Self.query, "--format", "json")
            #expect(again.output == answer.output)
        }
        #expect(interrupted > 0, "no reading was killed before its end")
    }

    @Test func aDamagedIndexIsToldAndAnswersStay() throws {
        let escrow = try Escrow(trusting: false)
        #expect(try escrow.run("source", "add", "photos", "samples/photos").status == 0)
        let index = escrow.home.appending(path: "index/headers.cache")
        let answer = try escrow.run("access", Self.query, "--format", "json")
        #expect(answer.status == 0 && answer.words.isEmpty)
        // Samples that were made a moment ago are not kept yet; the first line is.
        try Data("rotten".utf8).write(to: index)
        chmod(index.path, 0o600)
        let again = try escrow.run("access", Self.query, "--format", "json")
        #expect(again.output == answer.output)
        #expect(again.words.hasPrefix("warning[E0851]: \(index.path) is damaged and is made anew\n"))
        let third = try escrow.run("access", Self.query, "--format", "json")
        #expect(third.output == answer.output && third.words.isEmpty)
    }
}
