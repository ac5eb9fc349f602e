internal import EscrowDiagnostics
internal import Glibc

/// What can be wrong with a database file. No sentence holds a value out of it, nor SQLite's own words, which may.
extension Diagnostic {
    static func notADatabase() -> Diagnostic {
        Diagnostic(
            .notADatabase, "not an SQLite database, or an encrypted one",
            help: "name the program's own database file; docs/sources.md lists them")
    }

    static func damagedDatabase(_ status: Int32) -> Diagnostic {
        Diagnostic(
            .databaseDamaged, "the database is damaged (SQLite code \(status & 0xFF))",
            help: "let the program that owns the file repair it, or restore it from a backup")
    }

    static func databaseTooLarge(_ limit: Int64) -> Diagnostic {
        Diagnostic(
            .databaseTooLarge, "the database is larger than \(limit >> 20) MiB, the most that is copied",
            help: "let the program that owns the file forget old entries")
    }

    static func noRoomForCopy(errno code: Int32) -> Diagnostic {
        Diagnostic(
            .noRoomForCopy,
            "there is no room for a private copy of the database: " + String(cString: strerror(code)),
            help: "free some space in the folder that XDG_CACHE_HOME names, or in ~/.cache")
    }

    static func databaseKeepsChanging() -> Diagnostic {
        Diagnostic(
            .databaseKeepsChanging, "the database changed again and again while it was copied",
            help: "ask again when the program that owns it is less busy")
    }

    static func unreadableDatabase(errno code: Int32) -> Diagnostic {
        Diagnostic(.databaseUnreadable, "the database cannot be read: " + String(cString: strerror(code)))
    }

    static func unknownSchema(_ what: String) -> Diagnostic {
        Diagnostic(
            .databaseSchemaUnknown, "the database has a schema that is not known: \(what)",
            help: "docs/sources.md tells which versions of the program are read")
    }

    static func databaseTooSlow() -> Diagnostic {
        Diagnostic(
            .databaseTooSlow, "the database took too long to answer",
            help: "let the program that owns the file repair it: a sound file answers at once")
    }
}
