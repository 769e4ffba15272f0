// Package widget has what pages are made of: fields, texts, pagers, tables, matrices and logs.
//
// A column is one line in the Columns of a [Table]: title, smallest useful width, text, rank. In a
// narrow table the columns of the highest rank are hidden first; rank 0 is never hidden. A wider
// window never shows less of any column.
package widget
