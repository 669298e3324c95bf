# comment

