// swift-tools-version: 6.2
// The plugin author's kit as `make install` lays it out: the same sources as in the main package, nothing else.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "escrow",
    products: [
        // For what a server answers.
        .library(name: "EscrowJSON", targets: ["EscrowJSON"]),
        .library(name: "EscrowPlugin", targets: ["EscrowPlugin"]),
        .library(name: "EscrowPluginTesting", targets: ["EscrowPluginTesting"]),
    ],
    targets: [
        .target(name: "EscrowJSON", swiftSettings: settings),
        .target(name: "EscrowTabular", swiftSettings: settings),
        .target(name: "EscrowWire", dependencies: ["EscrowJSON", "EscrowTabular"], swiftSettings: settings),
        .target(
            name: "EscrowPlugin", dependencies: ["EscrowJSON", "EscrowTabular", "EscrowWire"],
            swiftSettings: settings),
        .target(
            name: "EscrowPluginTesting",
            dependencies: ["EscrowJSON", "EscrowPlugin", "EscrowTabular", "EscrowWire"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
