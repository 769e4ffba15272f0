// Package amplifycli reads what the templates of an Amplify CLI project say in an environment:
// the variables, layers and policies of its functions. It also makes a project of the native layout from one.
//
// Package project reads the files of the Amplify CLI, and works out nothing that depends on an environment. Here,
// Values collects what a deployment would give to the templates, and Function is a template worked out with that. The
// sandbox gives it what is on this machine instead of what is in the cloud. What stays unknown is reported, with the
// way to give it. An import works the same templates out with marks instead of what only a deployment knows
// (convert_place.go), and writes references where the marks are.
package amplifycli
