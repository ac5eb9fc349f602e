/// The names in a folder that may belong to pictures beside them: XMP of photo programs, and what Google Takeout writes.
struct SideCarNames {
    private var xmp: [String: String] = [:]
    /// Takeout's names by themselves without their ending, a counter such as `(1)` moved to the end.
    private var takeout: [String: String] = [:]

    /// Whether a file with this ending may be a side-car.
    static func isSideCar(_ ending: String) -> Bool { ending == "xmp" || ending == "json" }

    var isEmpty: Bool { xmp.isEmpty && takeout.isEmpty }

    /// Takes note of a name.
    mutating func add(_ name: String) {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return }
        let base = String(name[..<dot])
        switch name[dot...].dropFirst().lowercased() {
        case "xmp": xmp[base.lowercased()] = name
        case "json":
            let (stem, counter) = Self.counter(base)
            takeout[stem + counter] = name
        default: break
        }
    }

    /// The XMP side-car of a picture: `IMG.jpg.xmp` (darktable, digiKam) or `IMG.xmp` (Lightroom).
    func xmp(of picture: String) -> String? {
        guard !xmp.isEmpty else { return nil }
        let name = picture.lowercased()
        return xmp[name] ?? xmp[Self.split(name).stem]
    }

    /// Takeout's file of a picture.
    ///
    /// It is called `IMG.jpg.json` or, since 2024, `IMG.jpg.supplemental-metadata.json`, cut so that 46 characters stand before
    /// `.json`. Of the second picture of one name, `IMG(1).jpg`, the counter stands behind: `IMG.jpg(1).json`. An edited picture
    /// and the moving half of a live one have none of their own, but share the original's.
    func takeout(of picture: String) -> String? {
        guard !takeout.isEmpty else { return nil }
        let (whole, ending) = Self.split(picture)
        let (stem, counter) = Self.counter(whole)
        var names = [(stem + ending, counter), (picture, "")]
        for suffix in Self.edited where stem.hasSuffix(suffix) {
            names.append((stem.dropLast(suffix.count) + ending, counter))
        }
        if [".mp4", ".mov"].contains(ending.lowercased()) {
            for still in [".HEIC", ".heic", ".JPG", ".jpg", ".jpeg"] { names.append((stem + still, counter)) }
        }
        for (name, counter) in names {
            let full = name + Self.addition
            // From the longest name to the picture's own; a picture's own of more than 46 characters is cut too.
            for length in stride(from: min(full.count, 64), through: min(name.count, Self.cut), by: -1) {
                if let found = takeout[full.prefix(length) + counter] { return found }
            }
        }
        return nil
    }

    private static let addition = ".supplemental-metadata"
    private static let cut = 46

    /// What Google's editor puts behind a name, in the languages that are known of.
    private static let edited = [
        "-edited", "-effects", "-smile", "-mix", "-bearbeitet", "-modifié", "-modificato", "-editado",
        "-bewerkt",
        "-redigerad", "-redigert", "-redigeret", "-edytowane", "-編集済み",
    ]

    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: ".") else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// Takes `(1)` off the end of a name.
    private static func counter(_ name: String) -> (stem: String, counter: String) {
        guard name.last == ")", let open = name.lastIndex(of: "(") else { return (name, "") }
        let digits = name[name.index(after: open)...].dropLast()
        guard (1...4).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return (name, "")
        }
        return (String(name[..<open]), String(name[open...]))
    }
}
