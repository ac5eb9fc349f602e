import Foundation
import Testing

/// Programs of the real world behind the walls of `escrow app run`: one with windows, and a browser.
@Suite(.enabled(if: Confinement.works, "SKIP: bubblewrap is missing, or cannot make its walls here"))
struct ConfinedWindowTests {
    private let tests = ConfinementTests()

    /// A display server of the test's own, gone with this value.
    private final class Display {
        private let process = Process()
        let name: String

        init() throws {
            process.executableURL = URL(filePath: "/usr/bin/Xvfb")
            process.arguments = ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]
            let words = Pipe()
            process.standardOutput = words
            process.standardError = FileHandle.nullDevice
            try process.run()
            // It says its number once it listens.
            let said = String(decoding: words.fileHandleForReading.availableData, as: UTF8.self)
            name = ":" + said.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        deinit {
            // It inherits the signals that a thread of Dispatch holds back, SIGTERM among them.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    private static func has(_ programs: String...) -> Bool {
        programs.allSatisfy(FileManager.default.isExecutableFile)
    }

    @Test func aProgramOfGTKDrawsItsWindowWhereTheProfileLetsItAndReachesNoSource() throws {
        guard Self.has("/usr/bin/Xvfb"),
            SupportScript.can(
                "import gi; gi.require_version('Gtk', '3.0'); from gi.repository import Gtk",
                by: "/usr/bin/python3")
        else {
            print("SKIP: xvfb, python3-gi or gir1.2-gtk-3.0 is not installed")
            return
        }
        let (service, file) = try tests.service()
        let display = try Display()
        let script = """
            import gi, sys
            gi.require_version("Gtk", "3.0")
            from gi.repository import Gtk
            if not Gtk.init_check([])[0]:
                sys.exit("no display")
            try:
                open(sys.argv[1])
                print("read")
            except OSError:
                print("not read")
            window = Gtk.Window(title="a window")
            window.add(Gtk.Label(label="a label"))
            window.connect_after("draw", lambda *_: (print("drawn"), Gtk.main_quit()))
            window.show_all()
            Gtk.main()
            """
        let path = try tests.appHome(service).appending(path: "window.py")
        try Data(script.utf8).write(to: path)
        let session = ["DISPLAY": display.name, "WAYLAND_DISPLAY": ""]
        // The control: outside it does both.
        let outside = try Escrow.start(
            [path.path, file], home: service.escrow.home, program: URL(filePath: "/usr/bin/python3"),
            with: session)
        #expect(outside.output.hasPrefix("read\ndrawn\n"), "\(outside.everything)")
        func inside() throws -> Escrow.Outcome {
            try tests.confined(
                service, "/usr/bin/python3", "/home/app/window.py", file, with: session)
        }
        let blind = try inside()
        #expect(blind.status == 1 && blind.words.contains("no display"), "\(blind.everything)")
        #expect(try service.run("app", "add", ConfinementTests.app, "--display").status == 0)
        let drawn = try inside()
        #expect(drawn.output.hasPrefix("not read\ndrawn\n"), "\(drawn.everything)")
    }

    @Test func aBrowserRunsInsideAndReachesNoSource() throws {
        guard Self.has("/usr/bin/chromium") else {
            print("SKIP: chromium is not installed")
            return
        }
        let (service, file) = try tests.service()
        let page = """
            <p id="sum"></p><p id="read"></p><script>
            document.getElementById("sum").textContent = "sum " + 6 * 7
            try {
                const ask = new XMLHttpRequest()
                ask.open("GET", "file://\(file)", false)
                ask.send()
                document.getElementById("read").textContent = ask.responseText
            } catch (error) { document.getElementById("read").textContent = "not read" }
            </script>
            """
        let path = try tests.appHome(service).appending(path: "page.html")
        try Data(page.utf8).write(to: path)
        // Its own sandbox does not work for root, nor inside another one; the walls around it are what is tried.
        let words = [
            "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--dump-dom",
        ]
        let outside = try Escrow.start(
            words + ["--user-data-dir=" + service.escrow.folder.path + "/chromium", "file://" + path.path],
            home: service.escrow.home, program: URL(filePath: "/usr/bin/chromium"))
        #expect(
            outside.output.contains("sum 42") && outside.output.contains(ConfinementTests.marker),
            "\(outside.everything)")
        let inside = try tests.confined(
            service, "/usr/bin/chromium", words[0], words[1], words[2], words[3], words[4],
            "file:///home/app/page.html")
        #expect(
            inside.output.contains("sum 42") && inside.output.contains("not read")
                && !inside.output.contains(ConfinementTests.marker), "\(inside.everything)")
    }

    /// Who administrates the machine sees which programs open sources; anybody else is told why not.
    @Test func theProgramsThatOpenSourcesAreListed() throws {
        let (service, file) = try tests.service()
        // It is opened until the look is over: when that begins, nobody is told. By one program that stays: who opened a
        // file is looked up afterwards, and a starved look may come when a short program has ended.
        let opener = Process()
        opener.executableURL = URL(filePath: "/usr/bin/python3")
        opener.arguments = [
            "-c", "import sys, time\nwhile True:\n    open(sys.argv[1]).close()\n    time.sleep(0.02)", file,
        ]
        opener.standardInput = FileHandle.nullDevice
        try opener.run()
        defer {
            kill(opener.processIdentifier, SIGKILL)
            opener.waitUntilExit()
        }
        let outcome = try service.escrow.run("app", "audit", "--seconds", "10", "--format", "json")
        guard geteuid() == 0, outcome.status == 0 else {
            #expect(
                outcome.words.contains("E1262") && outcome.words.contains("sudo"), "\(outcome.everything)")
            return
        }
        let openings = try #require(try outcome.json()["openings"] as? [[String: Any]])
        let found = try #require(
            openings.first { ($0["program"] as? String)?.contains("/python3") == true }, "\(openings)")
        #expect(found["path"] as? String == file && (found["count"] as? Int ?? 0) > 0)
    }
}
