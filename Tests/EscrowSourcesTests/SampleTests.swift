import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowDesktop
@testable import EscrowMedia
@testable import EscrowPeople
@testable import EscrowPlaces
@testable import EscrowSources

@Suite("The sample data")
struct SampleTests {
    @Test("every card of the sample file is a contact")
    func contacts() throws {
        let log = ProblemLog()
        let rows = try Table("Contacts", .contacts, Repository.samples + "/contacts.vcf", log: log).rows(
            "id", "givenName", "familyName", "phoneNumber", "emailAddress", "contactType")
        #expect(log.reasons == [])
        #expect(rows.count == 41)
        #expect(Set(rows.map(\.[0])).count == 41)
        #expect(rows.filter { $0[5] == 0 }.count == 40)
        #expect(rows.allSatisfy { $0[3] != .null })
        #expect(
            rows[0] == [
                "urn:uuid:00000000-0000-4000-8000-000000000000", "Amara", "Abara", "1-202-555-0140",
                "contact0@example.org", 0,
            ])
        #expect(rows[2][1...] == ["Olga", "Grønn", "+1 415 555-0142", "contact2@example.org", 0])
    }

    @Test("numbers and addresses are rows of their own, the preferred one first")
    func children() throws {
        let path = Repository.samples + "/contacts.vcf"
        let phones = try Table("ContactPhoneNumbers", .contacts, path).rows(
            "contactID", "position", "label", "isPreferred", "phoneNumber")
        #expect(phones.count == 81)
        #expect(phones[0][1...] == [1, "mobile", 1, "1-202-555-0140"])
        #expect(phones[1][1...] == [2, "home", 1, "+1-202-555-0100"])
        #expect(phones.contains { $0[2] == "homepage" })
        let mails = try Table("ContactEmailAddresses", .contacts, path).rows(
            "contactID", "label", "emailAddress")
        #expect(
            mails.filter { $0[0] == "sample-001" } == [
                ["sample-001", "work", "work1@example.org"], ["sample-001", "home", "contact1@example.org"],
            ])
        let addresses = try Table("ContactPostalAddresses", .contacts, path).rows(
            "contactID", "label", "street", "city", "state", "postalCode", "country", "postOfficeBox")
        #expect(
            addresses.first == ["sample-001", "home", "2 Elm Street", "Portland", "OR", "97201", "USA", nil])
        #expect(addresses.count == 13)
    }

    @Test("two weeks of steps, pulse, sleep and weight, and three workouts")
    func health() throws {
        let log = ProblemLog()
        let path = Repository.samples + "/health"
        let samples = try Table("HealthSamples", .init(rawValue: "health")!, path, log: log).rows(
            "kind", "value", "category", "startDate", "id")
        func count(_ kind: Cell) -> Int { samples.count { $0[0] == kind } }
        #expect(count("stepCount") == 70)
        #expect(count("heartRate") == 84)
        #expect(count("restingHeartRate") == 14)
        #expect(count("sleepAnalysis") == 52)
        #expect(count("bodyMass") == 3)
        #expect(samples.allSatisfy { ($0[1] == .null) == ($0[0] == "sleepAnalysis") && $0[3] != .null })
        #expect(Set(samples.map(\.[4])).count == 223)
        let workouts = try Table("Workouts", .init(rawValue: "health")!, path, log: log).rows(
            "activity", "totalDistance", "totalEnergyBurned")
        #expect(
            workouts == [
                ["running", 5_200.0, 346.0], ["cycling", 18_400.0, 1_226.0], ["running", 7_100.0, 473.0],
            ])
        #expect(log.reasons == [])
    }

    @Test("photos say what exiftool says")
    func photos() throws {
        let folder = Repository.samples + "/photos"
        let log = ProblemLog()
        let table = Table("Photos", .photos, folder, log: log)
        let rows = try table.rows(
            "filename", "creationDate", "latitude", "longitude", "altitude", "cameraModel", "orientation",
            "pixelWidth",
            "pixelHeight", "fileSize", "mimeType")
        #expect(log.reasons == [])
        #expect(rows.count == 12)
        guard
            let text = run(
                "exiftool -r -n -T -FileName -DateTimeOriginal "
                    + "-OffsetTimeOriginal -GPSLatitude -GPSLongitude -GPSAltitude -Model -Orientation -ImageWidth "
                    + "-ImageHeight -FileSize -MIMEType '\(folder)'")
        else {
            print("SKIP: exiftool is not installed")
            return
        }
        var told: [String: [String]] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 12 { told[parts[0]] = parts }
        }
        #expect(told.count == 12)
        for row in rows {
            guard case .text(let name) = row[0], let peer = told[name] else {
                Issue.record("exiftool does not know a file")
                continue
            }
            // The zone of the table is +01:00, for photos that do not name one.
            if peer[1] != "-" {
                let date =
                    peer[1].prefix(10).split(separator: ":").joined(separator: "-") + peer[1].dropFirst(10)
                let moment = Timestamp(iso8601: date + (peer[2] == "-" ? "+01:00" : peer[2]))
                guard case .text(let own) = row[1] else {
                    Issue.record("\(name) has no date")
                    continue
                }
                #expect(own.prefix(19) == moment?.iso8601.prefix(19), "\(name)")
            } else if name != "screenshot.png" {
                #expect(row[1] == .null, "\(name)")
            }
            for (own, other) in [(2, 3), (3, 4), (4, 5)] {
                if let expected = Double(peer[other]) {
                    guard case .real(let value) = row[own] else {
                        Issue.record("\(name) lacks column \(own)")
                        continue
                    }
                    #expect(abs(value - expected) < 1e-6, "\(name)")
                } else {
                    #expect(row[own] == .null, "\(name)")
                }
            }
            #expect(row[5] == (peer[6] == "-" ? .null : .text(peer[6])), "\(name)")
            let isTurned = !name.hasSuffix("heic") && (Int(peer[7]) ?? 1) >= 5
            let (width, height) = (Int64(peer[8])!, Int64(peer[9])!)
            #expect(row[7] == .integer(isTurned ? height : width), "\(name)")
            #expect(row[8] == .integer(isTurned ? width : height), "\(name)")
            #expect(row[9] == .integer(Int64(peer[10])!), "\(name)")
            #expect(row[10] == .text(peer[11]), "\(name)")
        }
    }

    @Test("tracks and records are points with times and places")
    func tracks() throws {
        let log = ProblemLog()
        let rows = try Table("Location", .location, Repository.samples + "/tracks", log: log).rows(
            "kind", "timestamp", "latitude", "longitude", "speed", "trackName", "filename", "segment")
        #expect(log.reasons == [])
        func count(_ kind: Cell) -> Int { rows.count { $0[0] == kind } }
        #expect(count("track") == 576)
        #expect(count("waypoint") == 1)
        #expect(count("record") == 180)
        #expect(rows.first { $0[0] == "waypoint" }?[5] == "Fish market")
        #expect(rows.filter { $0[0] == "record" }.allSatisfy { $0[1] != .null })
        let first = rows.first { $0[0] == "track" }
        #expect(first?[1] == "2026-03-01T08:00:00.000Z")
        #expect(first?[5] == "Walk 1")
        #expect(first?[6] == "walk.gpx")
        #expect(Set(rows.filter { $0[0] == "track" }.map(\.[7])) == [1, 2, 3, 4])
    }

    @Test("the sample mail is read from Maildirs and an mbox, and its senders are among the contacts")
    func mail() throws {
        let log = ProblemLog()
        let rows = try Table("Messages", .mail, Repository.samples + "/mail", log: log).rows(
            "id", "folder", "timestamp", "subject", "fromAddress", "inReplyTo", "listID")
        #expect(log.reasons == [])
        #expect(rows.count == 40 && Set(rows.map(\.[0])).count == 40)
        #expect(
            Set(rows.map(\.[1])) == [
                "Maildir", "Maildir/Lists/choir", "Maildir/Sent", "Local Folders/Archive",
            ])
        #expect(
            rows.first { $0[0] == "sample-009@example.org" } == [
                "sample-009@example.org", "Maildir", "2026-01-16T23:33:00.000Z", "Grüße aus Bergen",
                "contact9@example.org", nil, nil,
            ])
        #expect(rows.filter { $0[6] == "choir.lists.example.org" }.count == 6)
        #expect(rows.filter { $0[5] != .null }.count == 5)
        let people = Set(
            try Table("ContactEmailAddresses", .contacts, Repository.samples + "/contacts.vcf").rows(
                "emailAddress"))
        #expect(rows.filter { people.contains([$0[4]]) }.count == 32)
        let recipients = try Table("MessageRecipients", .mail, Repository.samples + "/mail").rows("address")
        #expect(recipients.count == 50)
    }

    @Test("the sample documents are listed")
    func documents() throws {
        let rows = try Table("Documents", .documents, Repository.samples + "/documents").rows(
            "path", "mimeType")
        #expect(
            rows == [
                ["Letters/landlord.txt", "text/plain"], ["Recipes/bread.md", "text/markdown"],
                ["Tax/2025/expenses.csv", "text/csv"], ["to do", nil],
            ])
    }
}

/// The output of a shell command; nil if its program is missing.
func run(_ command: String) -> String? {
    guard let pipe = popen(command + " 2>/dev/null", "r") else { return nil }
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&block, 1, block.count, pipe)
        if count == 0 { break }
        text += block[..<count]
    }
    return pclose(pipe) >> 8 == 127 ? nil : String(decoding: text, as: UTF8.self)
}
