import Testing

@testable import EscrowService

/// Names that desktops give to apps, as they stand in files of the kernel and of Flatpak.
@Suite struct ScopeNameTests {
    @Test(arguments: [
        (
            "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.gnome.Maps-4711.scope\n",
            "org.gnome.Maps"
        ),
        ("0::/user.slice/user@1000.service/app.slice/app-org.example.notes-3.scope", "org.example.notes"),
        ("0::/app.slice/app-KDE-org.kde.some\\x2dapp-77.scope", "org.kde.some-app"),
        ("0::/app.slice/app-org.gnome.Terminal@ab.service", "org.gnome.Terminal"),
        ("0::/app.slice/app-gnome-org.example.notes.service", "org.example.notes"),
    ])
    func anIdIsReadFromTheUnit(line: String, app: String) {
        #expect(ScopeName.app(line) == app)
    }

    @Test(arguments: [
        "", "0::/", "0::/user.slice/session-2.scope", "1:name=systemd:/app-org.example.notes-3.scope",
        "0::/app.slice/app-org.example.notes.scope/else", "0::/app.slice/app-a\\xzz-1.scope",
        "0::/app-x\\x-1.scope",
    ])
    func whatIsNoSuchNameIsNobody(line: String) {
        let app = ScopeName.app(line).flatMap(AppName.id)
        #expect(app == nil)
    }

    @Test func anIdOfADesktopIsAnAppIDInSmallLetters() {
        #expect(AppName.id("org.gnome.Some_App") == "org.gnome.some-app")
        #expect(AppName.id("notes") == nil)
        #expect(AppName.id("org.gnome.Ärger") == nil)
    }

    @Test func flatpaksFileNamesTheAppOnceInItsGroup() {
        #expect(
            InstanceFile.app("[Application]\nname=org.gnome.Maps\nruntime=x\n\n[Instance]\nname=other\n")
                == "org.gnome.Maps")
        #expect(InstanceFile.app("name=org.gnome.Maps\n") == nil)
        #expect(InstanceFile.app("[Runtime]\nname=org.gnome.Platform\n") == nil)
        #expect(InstanceFile.app("[Application]\nname=a.b\nname=c.d\n") == nil)
    }
}
