import EscrowFiles
import Glibc

/// Where programs of a Linux desktop keep what they have: installed by the distribution, as a Flatpak or as a snap.
struct UsualSources {
    struct Candidate: Equatable {
        let kind: String
        /// Whose it is, as people call the program.
        let program: String
        let path: String
    }

    private let home: String
    /// What the desktop calls the folders of programs (XDG Base Directory Specification 0.8).
    private let data: String
    private let configuration: String

    /// The places that exist for the one whose home folder `$HOME` is.
    static func candidates() -> [Candidate] {
        guard let home = folder("HOME") else { return [] }
        let usual = UsualSources(
            home: home, data: folder("XDG_DATA_HOME") ?? home + "/.local/share",
            configuration: folder("XDG_CONFIG_HOME") ?? home + "/.config")
        let all = usual.people + usual.media + usual.browsers
        return all.filter { access($0.path, R_OK) == 0 }
    }

    /// An absolute path from the environment; others are to be ignored.
    private static func folder(_ variable: String) -> String? {
        guard let value = getenv(variable), value[0] == UInt8(ascii: "/") else { return nil }
        return String(cString: value)
    }

    private var people: [Candidate] {
        let evolution = [data, home + "/.var/app/org.gnome.Evolution/data"].flatMap { data in
            [("contacts", "addressbook"), ("calendar", "calendar"), ("mail", "mail")].map {
                Candidate(kind: $0.0, program: "Evolution", path: "\(data)/evolution/\($0.1)")
            }
        }
        let thunderbird =
            [".thunderbird", ".var/app/org.mozilla.Thunderbird/.thunderbird"]
            + ["snap/thunderbird/common/.thunderbird"]
        let others = [
            ("contacts", "vCard files", ".contacts"), ("calendar", "iCalendar files", ".calendars"),
            ("mail", "your Maildir", "Maildir"), ("mail", "your mail folder", "Mail"),
        ]
        return evolution
            + thunderbird.flatMap { place in
                ["contacts", "mail"].map {
                    Candidate(kind: $0, program: "Thunderbird", path: "\(home)/\(place)")
                }
            } + others.map { Candidate(kind: $0.0, program: $0.1, path: "\(home)/\($0.2)") }
    }

    private var media: [Candidate] {
        [("photos", "PICTURES", "Pictures"), ("music", "MUSIC", "Music")].map { kind, name, usual in
            let folder = ownName(name) ?? usual
            return Candidate(kind: kind, program: "your folder \(folder)", path: home + "/" + folder)
        }
    }

    /// The profiles of browsers, which are the folders with a history in them.
    private var browsers: [Candidate] {
        let firefox = [
            "\(home)/.mozilla/firefox", "\(configuration)/mozilla/firefox",
            "\(home)/snap/firefox/common/.mozilla/firefox",
            "\(home)/.var/app/org.mozilla.firefox/.mozilla/firefox",
        ]
        let chromium = [
            "\(configuration)/chromium", "\(configuration)/google-chrome",
            "\(home)/snap/chromium/common/chromium",
            "\(home)/.var/app/org.chromium.Chromium/config/chromium",
            "\(home)/.var/app/com.google.Chrome/config/google-chrome",
        ]
        return firefox.flatMap { profiles($0, of: "Firefox", with: "places.sqlite") }
            + chromium.flatMap {
                profiles(
                    $0, of: $0.contains("chrome") || $0.contains("Chrome") ? "Chrome" : "Chromium",
                    with: "History")
            }
    }

    private func profiles(_ folder: String, of program: String, with history: String) -> [Candidate] {
        ((try? Folder.names(folder)) ?? []).sorted().filter {
            access("\(folder)/\($0)/\(history)", F_OK) == 0
        }.map { Candidate(kind: "browser", program: program, path: "\(folder)/\($0)") }
    }

    /// A folder's name in the individual's language, as user-dirs.dirs has it: `XDG_PICTURES_DIR="$HOME/Bilder"`.
    private func ownName(_ name: String) -> String? {
        guard let bytes = try? SecureFile.read(configuration + "/user-dirs.dirs", limit: 1 << 16) else {
            return nil
        }
        let start = "XDG_\(name)_DIR=\"$HOME/"
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix(start)
        {
            let path = line.dropFirst(start.count).prefix { $0 != "\"" }
            return path.isEmpty ? nil : String(path)
        }
        return nil
    }
}
