import EscrowSchema
import EscrowSources
import Glibc

/// Contacts, places and photos for the scans, made once in a folder.
enum ScanSamples {
    /// The tables over so many records of a kind.
    static func tables(_ kind: String, _ rows: Int, in folder: String) throws -> [any TableSource] {
        let home = "\(folder)/\(kind)-\(rows)"
        if mkdir(home, 0o700) == 0 {
            var path = home
            switch kind {
            case "contacts":
                path += "/a.vcf"
                write(contacts(rows), path)
            case "location":
                path += "/a.json"
                write(points(rows), path)
            default:
                path += "/a"
                photos(rows, path)
            }
            var registry = try SourceRegistry.load(directory: home)
            try registry.add(kind: kind, path: path)
            try registry.save()
        }
        return try SourceRegistry.load(directory: home).tables()
    }

    private static func contacts(_ count: Int) -> [UInt8] {
        var text: [UInt8] = []
        for index in 0..<count {
            text += Array(
                "BEGIN:VCARD\nVERSION:3.0\nN:Last\(index);First;;;\nFN:First Last\(index)\nUID:u\(index)\nTEL:+4790\(index)\nEND:VCARD\n"
                    .utf8)
        }
        return text
    }

    private static func points(_ count: Int) -> [UInt8] {
        var text = Array("{\"locations\": [\n".utf8)
        for index in 0..<count {
            text += Array(
                "{\"latitudeE7\": \(603_800_000 + index * 13), \"longitudeE7\": \(53_300_000 + index * 7), \"accuracy\": 19, \"timestampMs\": \"\(1_577_836_800_000 + index * 60_000)\"}\(index + 1 < count ? "," : "")\n"
                    .utf8)
        }
        return text + Array("]}\n".utf8)
    }

    /// Pictures in folders of a thousand. They are empty: the queries ask for what the listing knows, beside which an id
    /// costs most.
    private static func photos(_ count: Int, _ path: String) {
        mkdir(path, 0o700)
        for index in 0..<count {
            let folder = "\(path)/trip \(index / 1_000)"
            if index % 1_000 == 0 { mkdir(folder, 0o700) }
            write([], "\(folder)/IMG_\(100_000 + index).jpg")
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String) {
        guard let file = fopen(path, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
