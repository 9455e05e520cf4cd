// Command fakeengine needs a terminal as Unix has it.
package main

func main() {}
