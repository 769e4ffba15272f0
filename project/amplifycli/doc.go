// Package amplifycli reads what the templates of an Amplify CLI project say in an environment:
// the variables, layers and policies of its functions. It also makes a project of the native
// layout from one.
package amplifycli
