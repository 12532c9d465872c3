// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every Swift target: language mode 6 and warnings that stop the build.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func target(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: [.byName(name: name), "RigTestKit"] + dependencies,
        swiftSettings: settings)
}

func library(_ name: String, package: String) -> Target {
    .systemLibrary(name: name, providers: [.apt([package])])
}

let package = Package(
    name: "MeshRig",
    products: [
        .executable(name: "meshrig", targets: ["meshrig"]),
        .library(name: "RigRuntime", targets: ["RigRuntime"]),
        .library(name: "RadioSimulator", targets: ["RadioSimulator"]),
        .library(name: "MeshCoreClient", targets: ["MeshCoreClient"]),
        .library(name: "ClientServices", targets: ["ClientServices"]),
    ],
    targets: [
        // C libraries, each from its Debian package.
        library("CSQLite", package: "libsqlite3-dev"),
        library("CYAML", package: "libyaml-dev"),
        library("CSodium", package: "libsodium-dev"),
        library("CCrypto", package: "libssl-dev"),

        // Lowest first: a target imports only from targets above it.
        target("RigBase", []),
        target("RigCrypto", ["RigBase", "CSodium", "CCrypto"]),
        target("RunRecord", ["RigBase", "RigCrypto"]),
        target("RigRuntime", ["RigBase", "RunRecord"]),
        target("CompanionProtocol", ["RigBase"]),
        target("MeshProtocol", ["RigBase", "RigCrypto"]),
        target("RadioSimulator", ["RigBase", "RunRecord", "CompanionProtocol", "MeshProtocol"]),
        target("MeshTransport", ["RigBase", "RunRecord", "RigRuntime", "CompanionProtocol"]),
        target("MeshCoreClient", ["RigBase", "RunRecord", "RigRuntime", "CompanionProtocol", "MeshTransport"]),
        target("ClientStore", ["RigBase", "CSQLite"]),
        target(
            "ClientServices",
            [
                "RigBase", "RunRecord", "RigRuntime", "RigCrypto", "CompanionProtocol", "MeshProtocol", "MeshTransport",
                "MeshCoreClient", "ClientStore",
            ]),
        target("ScenarioModel", ["RigBase", "CYAML"]),
        target(
            "ScenarioRunner",
            [
                "RigBase", "RigRuntime", "RunRecord", "RigCrypto", "CompanionProtocol", "MeshProtocol",
                "RadioSimulator", "MeshTransport", "MeshCoreClient", "ClientStore", "ClientServices",
                "ScenarioModel", "RadioPlanning",
            ]),
        target(
            "Conformance",
            ["RigBase", "RigCrypto", "RunRecord", "CompanionProtocol", "MeshProtocol", "RadioSimulator"]),
        // The text of the library that gives pseudo-terminals modem lines; compiled by `serve` where it is needed.
        .target(name: "CPtyModem", exclude: ["pty-modem-lines.c"]),
        target(
            "RadioServer",
            [
                "RigBase", "RigRuntime", "RunRecord", "CompanionProtocol", "MeshProtocol", "RadioSimulator",
                "MeshTransport", "CPtyModem",
            ]),
        target("Reporting", ["RigBase", "RunRecord", "CompanionProtocol", "MeshProtocol"]),
        // Radio paths over real ground. Outside the simulator, which knows no floating point.
        target("RadioPlanning", []),
        .executableTarget(
            name: "meshrig",
            dependencies: [
                "RigBase", "RigRuntime", "RunRecord", "CompanionProtocol", "MeshProtocol", "RadioSimulator",
                "MeshTransport", "ScenarioModel", "ScenarioRunner", "Conformance", "RadioServer", "RadioPlanning",
                "Reporting",
            ],
            swiftSettings: settings),

        .executableTarget(
            name: "rig-benchmarks",
            dependencies: ["RigBase", "RigRuntime", "RunRecord", "ScenarioModel", "ScenarioRunner"],
            path: "Benchmarks/RigBenchmarks", swiftSettings: settings),
        // Counts what the measured code asks of the allocator.
        .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
        .executableTarget(
            name: "air-benchmarks",
            dependencies: [
                "RigBase", "RunRecord", "MeshProtocol", "RadioSimulator", "ScenarioModel", "ScenarioRunner",
                "CAllocationCount",
            ],
            path: "Benchmarks/AirBenchmarks", swiftSettings: settings),

        .executableTarget(
            name: "fuzz-firmware",
            dependencies: ["RigBase", "RunRecord", "CompanionProtocol", "MeshProtocol", "RadioSimulator"],
            path: "Benchmarks/FuzzFirmware", swiftSettings: settings),

        target("RigTestKit", ["RigBase", "RunRecord", "RigRuntime", "CompanionProtocol", "MeshTransport"]),
        tests("RigBase", []),
        tests("RigCrypto", ["RigBase"]),
        tests("RunRecord", ["RigBase"]),
        tests("RigRuntime", ["RigBase", "RunRecord"]),
        tests("CompanionProtocol", ["RigBase"]),
        tests("MeshProtocol", ["RigBase", "RigCrypto"]),
        tests("RadioSimulator", ["RigBase", "RunRecord", "CompanionProtocol", "MeshProtocol"]),
        tests("MeshTransport", ["RigBase", "RunRecord", "RigRuntime", "CompanionProtocol"]),
        tests("MeshCoreClient", ["RigBase", "RunRecord", "RigRuntime", "CompanionProtocol", "MeshTransport"]),
        tests("ClientStore", ["RigBase"]),
        tests(
            "ClientServices",
            [
                "RigBase", "RigRuntime", "RunRecord", "CompanionProtocol", "MeshProtocol", "MeshTransport",
                "MeshCoreClient", "ClientStore",
            ]),
        tests("ScenarioModel", ["RigBase"]),
        tests(
            "ScenarioRunner",
            [
                "RigBase", "RunRecord", "RigRuntime", "MeshProtocol", "RadioPlanning", "RadioSimulator",
                "ScenarioModel",
            ]),
        tests("Conformance", ["RigBase", "RigCrypto", "RunRecord", "MeshProtocol", "RadioSimulator"]),
        tests(
            "RadioServer",
            [
                "RigBase", "RunRecord", "RigRuntime", "CompanionProtocol", "MeshProtocol", "RadioSimulator",
                "MeshTransport", "MeshCoreClient", "ClientStore", "ClientServices", "ScenarioModel",
                "ScenarioRunner",
            ]),
        tests("Reporting", ["RigBase", "RunRecord", "CompanionProtocol", "MeshProtocol"]),
        tests("RadioPlanning", []),
        .testTarget(name: "meshrigTests", dependencies: ["meshrig", "RigBase", "RunRecord"], swiftSettings: settings),
        .testTarget(name: "TidyTests", swiftSettings: settings),
    ]
)
