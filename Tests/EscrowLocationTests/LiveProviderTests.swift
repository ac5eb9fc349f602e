import EscrowDiagnostics
import EscrowLocationPrivacy
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowLocation

/// Real providers: gpsd fed with what a receiver writes, and a D-Bus with GeoClue's objects on it.
@Suite(.timeLimit(.minutes(60))) struct LiveProviderTests {
    @Test func aReportIsAFixOnlyWhereTheReceiverHasOne() throws {
        func fix(_ text: String) -> LiveFix? { Gpsd.fix(Array(text.utf8), seconds: 7) }
        let whole = try #require(
            fix(
                #"{"class":"TPV","mode":3,"time":"2026-03-01T12:00:00.000Z","lat":60.39,"lon":5.32,"altHAE":71.9,"eph":17.1,"speed":5.1,"track":0.0}"#
            ))
        #expect(whole.place == Coordinates(latitude: 60.39, longitude: 5.32) && whole.accuracy == 17.1)
        #expect(whole.altitude == 71.9 && whole.speed == 5.1 && whole.course == 0 && whole.seconds == 7)
        let flat = try #require(
            fix(#"{"class":"TPV","mode":2,"lat":1,"lon":2,"alt":5,"epx":3,"epy":4}"# + "\r"))
        #expect(flat.altitude == nil && flat.accuracy == 5)
        for text in [
            "", "{}", #"{"class":"SKY"}"#, #"{"class":"TPV","mode":1,"lat":1,"lon":2}"#,
            #"{"class":"TPV","mode":3,"lat":91,"lon":2}"#,
            #"{"class":"TPV","mode":3,"lat":1}"#, #"{"class":"TPV","mode":3,"lat":"1","lon":2}"#,
            #"{"class":"TPV""#,
        ] { #expect(fix(text) == nil, "\(text)") }
    }

    /// What a receiver writes that walks north, 56 m a second.
    static func walk(_ count: Int) -> String {
        func sentence(_ text: String) -> String {
            let sum = text.utf8.reduce(0 as UInt8, ^)
            return "$\(text)*\(String(sum, radix: 16, uppercase: true).leftPadded(2))\r\n"
        }
        return (0..<count).map { number in
            let minutes = 23.4 + Double(number) * 0.03
            let latitude = "60" + String(format: "%08.5f", minutes)
            let time = String(format: "12%02d%02d.00", number / 60, number % 60)
            return sentence("GPGGA,\(time),\(latitude),N,00519.20000,E,1,08,0.9,25.0,M,46.9,M,,")
                + sentence("GPGSA,A,3,04,05,09,12,24,25,29,31,,,,,1.8,0.9,1.5")
                + sentence("GPRMC,\(time),A,\(latitude),N,00519.20000,E,10.0,0.0,010326,,,A")
        }.joined()
    }

    /// Takes a port, 0 for any, and does not listen there: until the descriptor is closed nobody can, and whoever
    /// connects is refused.
    static func take(_ port: UInt16) -> (descriptor: Int32, port: UInt16)? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isTaken = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        if isTaken { return (descriptor, UInt16(bigEndian: address.sin_port)) }
        close(descriptor)
        return nil
    }

    /// A port that nobody has now, below those that the system hands out: nobody takes it by chance before it is used.
    static func freePort() throws -> UInt16 {
        for _ in 0..<100 {
            guard let taken = take(.random(in: 20_000..<32_000)) else { continue }
            close(taken.descriptor)
            return taken.port
        }
        throw CocoaError(.fileNoSuchFile)
    }

    @Test func gpsdIsFollowedUpdateByUpdate() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/gpsfake"),
            FileManager.default.isExecutableFile(atPath: "/usr/sbin/gpsd")
        else { return print("SKIP: gpsd and gpsfake are not installed") }
        let folder = try TemporaryFolder("gpsfake")
        let log = folder.url.appending(path: "walk.nmea")
        try Data(Self.walk(120).utf8).write(to: log)
        let port = try Self.freePort()
        let fake = Process()
        fake.executableURL = URL(filePath: "/usr/bin/gpsfake")
        fake.arguments = ["-n", "-c", "0.05", "-P", "\(port)", log.path]
        fake.currentDirectoryURL = folder.url
        fake.standardInput = FileHandle.nullDevice
        fake.standardOutput = FileHandle.nullDevice
        fake.standardError = FileHandle.nullDevice
        try fake.run()
        defer {
            // Not SIGINT: a test runner may have it blocked, and a child inherits that. gpsd is gpsfake's child.
            let children = "/proc/\(fake.processIdentifier)/task/\(fake.processIdentifier)/children"
            let gpsd = (try? String(contentsOfFile: children, encoding: .utf8)) ?? ""
            for number in gpsd.split(separator: " ").compactMap({ Int32($0) }) { kill(number, SIGKILL) }
            kill(fake.processIdentifier, SIGKILL)
            fake.waitUntilExit()
        }
        var provider: Gpsd?
        for _ in 0..<3_000 where provider == nil {
            provider = try? Gpsd(port: port)
            if provider == nil { usleep(100_000) }
        }
        let gpsd = try #require(provider)
        var loop = LiveLoop(gpsd, filter: UpdateFilter(.standard, desired: .street), most: 3)
        var places: [Coordinates] = []
        let end = try loop.run { fix, reason in
            #expect(reason == .moved)
            places.append(fix.place)
        }
        #expect(end == .enough && places.count == 3)
        // As far apart as a street is wanted, on the way that was walked.
        for (from, to) in zip(places, places.dropFirst()) { #expect(Ellipsoid.distance(from, to) >= 50) }
        #expect(
            places.allSatisfy {
                (60.389...60.46).contains($0.latitude) && ($0.longitude - 5.32).magnitude < 1e-6
            })
        gpsd.cancel()
        #expect(throws: Diagnostic.self) { while true { _ = try gpsd.next(waitingMs: 100_000) } }
    }

    @Test func nobodyAtThePortIsSaid() throws {
        let taken = try #require(Self.take(0))
        defer { close(taken.descriptor) }
        let error = #expect(throws: Diagnostic.self) { try Gpsd(port: taken.port) }
        #expect(error?.code == .noLiveProvider && error?.exitStatus == .sourceMissing)
        let bus = #expect(throws: Diagnostic.self) { try GeoClue(desired: .city, socket: "/nowhere") }
        #expect(bus?.code == .noLiveProvider)
    }

    @Test func geoClueIsAskedForNoMoreThanIsWantedAndFollowed() throws {
        let check = Process()
        check.executableURL = URL(filePath: "/usr/bin/python3")
        check.arguments = ["-c", "import dbusmock, dbus"]
        check.standardError = FileHandle.nullDevice
        guard (try? check.run()) != nil else { return print("SKIP: there is no python3") }
        check.waitUntilExit()
        guard check.terminationStatus == 0,
            FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")
        else {
            return print("SKIP: python3-dbusmock or dbus-daemon is not installed")
        }
        let folder = try TemporaryFolder("geoclue")
        let socket = folder.url.appending(path: "bus").path
        let mock = Process()
        mock.executableURL = URL(filePath: "/usr/bin/python3")
        mock.arguments = [
            URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Support/geoclue.py")
                .path, socket,
        ]
        let (input, output) = (Pipe(), Pipe())
        mock.standardInput = input
        mock.standardOutput = output
        try mock.run()
        defer {
            try? input.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
            mock.waitUntilExit()
        }
        func line() -> String { String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) }
        func ask(_ text: String) throws -> String {
            try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
            return line()
        }
        try #require(line() == "ready\n")
        let provider = try GeoClue(desired: .neighbourhood, socket: socket, patienceMs: 100_000)
        #expect(try ask("client") == "escrow 5 started\n")
        #expect(try ask("move 60.39 5.32 800") == "moved\n")
        let fix = try #require(try provider.next(waitingMs: 100_000))
        #expect(fix.place == Coordinates(latitude: 60.39, longitude: 5.32) && fix.accuracy == 800)
        // GeoClue's word for a height and a speed that it does not know.
        #expect(fix.altitude == nil && fix.speed == nil)
        #expect(try provider.next(waitingMs: 1) == nil)
        provider.cancel()
        #expect(throws: Diagnostic.self) { try provider.next(waitingMs: 100_000) }
    }
}

extension String {
    fileprivate func leftPadded(_ count: Int) -> String {
        String(repeating: "0", count: max(count - self.count, 0)) + self
    }
}
