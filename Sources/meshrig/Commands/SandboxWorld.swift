/// The world that `serve` starts when it is given none, so that the program needs no file to show what it does.
///
/// The text is that of `Scenarios/worlds/sandbox.yaml`; a test compares them.
enum SandboxWorld {
    static let name = "worlds/sandbox.yaml"

    static let text = #"""
        # A small valley: what `meshrig serve` starts when it is given nothing else.
        title: Three companions and a repeater

        world:
          radio: eu-868-narrow
          nodes:
            alice:
              position: [47.3769, 8.5417]
              contacts: [bob, carol, hill]
              channels: [public, "#test"]
            hill:
              role: repeater
              position: [47.3497, 8.4914]
            bob:
              contacts: [alice, carol]
              channels: [public, "#test"]
              echo: true
            carol:
              contacts: [alice, bob]
              channels: [public]
          links:
            alice-hill: { snr: 9 }
            hill-bob: { snr: 6 }
            hill-carol: { snr: 3 }
            alice-carol: { snr: -4, loss: 20% }
        """#
}
