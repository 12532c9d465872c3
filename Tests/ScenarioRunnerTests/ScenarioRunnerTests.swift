// Tests of ScenarioRunner.
